/** The circuits: a table where there is room, else a list of cards. */
export const table = /* css */ `
.circuits {
  width: 100%;
  border: 1px solid var(--rule);
  border-radius: 12px;
  border-spacing: 0;
  table-layout: fixed;
  background: var(--card);
}
.circuits th,
.circuits td {
  padding: 9px 12px;
  text-align: left;
  vertical-align: middle;
  font-weight: inherit;
}
.circuits thead th {
  position: sticky;
  top: 0;
  z-index: 1;
  border-radius: 11px;
  background: var(--card);
  font-size: 12px;
  color: var(--soft);
  white-space: nowrap;
}
.circuits tbody > tr {
  position: relative;
}
.circuits tbody > tr > * {
  border-top: 1px solid var(--rule);
}
.circuits tbody > tr:last-child > :first-child {
  border-bottom-left-radius: 11px;
}
.circuits tbody > tr.circuit:hover > *,
.circuits tbody > tr.selected > * {
  background: color-mix(in srgb, var(--grey-tint) 45%, transparent);
}
.circuits tbody > tr.detail > * {
  border-top: 0;
}
.circuits tr[data-tone='red'] > :first-child {
  box-shadow: inset 3px 0 var(--red);
}
.circuits tr[data-tone='amber'] > :first-child {
  box-shadow: inset 3px 0 var(--amber);
}
.circuits .state {
  width: 214px;
}
.circuits .name {
  width: 20%;
}
.circuits .figure {
  width: 66px;
  padding-left: 6px;
  padding-right: 6px;
  text-align: right;
  white-space: nowrap;
}
.circuits tr > .figure:nth-last-child(-n + 2) {
  width: 76px;
}
.circuits tr > .figure:last-child {
  width: 86px;
  padding-right: 16px;
}
.circuits .zero {
  color: var(--soft);
}
.badge {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  padding: 2px 10px 2px 8px;
  border-radius: 12px;
  font-size: 13px;
  font-weight: 600;
  white-space: nowrap;
}
[data-tone='red'] .badge {
  background: var(--red-tint);
}
[data-tone='amber'] .badge {
  background: var(--amber-tint);
}
[data-tone='green'] .badge {
  background: var(--green-tint);
}
[data-tone='grey'] .badge {
  background: var(--grey-tint);
}
[data-tone='red'] :is(.badge, .icon),
.icon[data-tone='red'] {
  color: var(--red);
}
[data-tone='amber'] :is(.badge, .icon),
.icon[data-tone='amber'] {
  color: var(--amber);
}
[data-tone='green'] :is(.badge, .icon),
.icon[data-tone='green'] {
  color: var(--green);
}
[data-tone='grey'] :is(.badge, .icon),
.icon[data-tone='grey'] {
  color: var(--grey);
}
.note {
  display: block;
  margin-top: 3px;
  font-size: 12.5px;
  color: var(--soft);
}
.note:empty {
  display: none;
}
.toggle {
  padding: 0;
  border: 0;
  background: none;
  text-align: left;
  cursor: pointer;
  overflow-wrap: anywhere;
}
.toggle::after {
  content: '';
  position: absolute;
  inset: 0;
}
.toggle:focus-visible {
  outline: none;
}
.toggle:focus-visible::after {
  outline: 2px solid var(--focus);
  outline-offset: -2px;
}
.toggle :is(strong, .key) {
  unicode-bidi: isolate;
}
.toggle strong {
  font-weight: 600;
}
.toggle .key {
  color: var(--soft);
}
.last-error {
  display: block;
  overflow: hidden;
  margin-top: 2px;
  font-size: 12.5px;
  color: var(--soft);
  white-space: nowrap;
  text-overflow: ellipsis;
}
@media (max-width: 1060px) {
  .circuits,
  .circuits tbody {
    display: block;
  }
  .circuits thead {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .circuits thead th {
    position: static;
  }
  .circuits tr.circuit {
    display: grid;
    grid-template-columns: repeat(7, 1fr);
    gap: 8px 12px;
    padding: 12px 16px;
    border-top: 1px solid var(--rule);
  }
  .circuits tbody > tr.circuit:first-child {
    border-top: 0;
  }
  .circuits tr.detail,
  .circuits tr.detail > td {
    display: block;
  }
  .circuits tbody > tr.circuit:is(*, [data-tone]) > *,
  .circuits tbody > tr.circuit > .figure:last-child {
    width: auto;
    padding: 0;
    border: 0;
    background: none;
    box-shadow: none;
    text-align: left;
  }
  .circuits tr.circuit > .state {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px 10px;
    grid-column: 1 / -1;
  }
  .circuits tr.circuit > .name {
    grid-column: span 3;
  }
  .circuits tr.circuit > .picture {
    grid-column: span 4;
  }
  .circuits tr[data-tone='red'] {
    box-shadow: inset 3px 0 var(--red);
  }
  .circuits tr[data-tone='amber'] {
    box-shadow: inset 3px 0 var(--amber);
  }
  .circuits .state .note {
    margin: 0;
  }
  .circuits .figure::before {
    content: attr(data-label) / '';
    display: block;
    font-size: 12px;
    color: var(--soft);
  }
}
@media (max-width: 600px) {
  .circuits tr.circuit {
    grid-template-columns: repeat(4, 1fr);
  }
  .circuits tr.circuit > :is(.name, .picture) {
    grid-column: 1 / -1;
  }
}
`;
