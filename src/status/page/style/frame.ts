/** Around the table: heading, overview, search, legend, and the dialog of a command. */
export const frame = /* css */ `
.top {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  justify-content: space-between;
  gap: 4px 16px;
  margin-bottom: 20px;
}
.connection {
  display: inline-flex;
  align-items: center;
  gap: 7px;
  font-size: 13px;
  color: var(--soft);
}
.connection::before {
  content: '';
  width: 9px;
  height: 9px;
  border: 2px solid var(--amber);
  border-radius: 50%;
}
.connection[data-status='live']::before {
  border-color: var(--green);
  background: var(--green);
}
.stale {
  margin-bottom: 16px;
  padding: 10px 14px;
  border: 1px solid var(--amber);
  border-radius: 8px;
  background: var(--amber-tint);
}
.stale:not([hidden]) ~ .circuits {
  opacity: 0.6;
}
.overview,
.tools {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 10px 20px;
  margin-bottom: 14px;
}
.filters {
  display: flex;
  flex-wrap: wrap;
  gap: 6px;
}
.filter {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  min-height: 32px;
  padding: 3px 12px 3px 10px;
  border: 1px solid var(--strong-rule);
  border-radius: 16px;
  background: var(--card);
  font-size: 13px;
  cursor: pointer;
}
.filter[aria-pressed='true'] {
  border-color: var(--ink);
  background: var(--ink);
  color: var(--card);
}
.filter[aria-pressed='true'] .icon {
  color: inherit;
}
.tools label {
  display: inline-flex;
  align-items: center;
  gap: 8px;
  font-size: 13px;
  color: var(--soft);
}
.tools input,
.tools select,
dialog input[type='password'] {
  min-height: 36px;
  padding: 4px 10px;
  border: 1px solid var(--strong-rule);
  border-radius: 8px;
  background: var(--card);
  font-size: 15px;
  color: var(--ink);
}
.tools label:has(input) {
  flex: 0 1 340px;
}
.tools input {
  flex: 1;
  min-width: 0;
}
@media (max-width: 600px) {
  .tools label {
    flex: 1 1 100% !important;
  }
  .tools select {
    flex: 1;
  }
}
.action {
  min-height: 36px;
  padding: 4px 14px;
  border: 1px solid var(--strong-rule);
  border-radius: 8px;
  background: var(--card);
  cursor: pointer;
}
.action:hover,
.filter:hover {
  border-color: var(--soft);
}
.action.danger {
  border-color: var(--red);
  color: var(--red);
}
.more {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 8px 16px;
  margin-top: 14px;
  font-size: 13px;
  color: var(--soft);
}
.empty {
  padding: 40px 16px;
  text-align: center;
  color: var(--soft);
}
.legend {
  display: grid;
  gap: 8px;
  margin-top: 22px;
  font-size: 13px;
  color: var(--soft);
}
.legend p:first-child {
  display: flex;
  flex-wrap: wrap;
  gap: 6px 18px;
}
.legend span {
  display: inline-flex;
  align-items: center;
  gap: 6px;
}
.legend svg {
  width: 22px;
  height: 18px;
}
dialog {
  width: min(440px, calc(100vw - 32px));
  padding: 20px 22px;
  border: 1px solid var(--strong-rule);
  border-radius: 12px;
  background: var(--card);
  color: var(--ink);
}
dialog::backdrop {
  background: rgb(0 0 0 / 45%);
}
dialog form {
  display: grid;
  gap: 14px;
}
dialog label {
  display: grid;
  gap: 4px;
  font-size: 13px;
  color: var(--soft);
}
dialog label.check {
  display: flex;
  align-items: baseline;
  gap: 8px;
  color: var(--ink);
}
dialog .error:not(:empty) {
  color: var(--red);
}
dialog .buttons {
  display: flex;
  justify-content: flex-end;
  gap: 8px;
}
`;
