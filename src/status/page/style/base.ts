/** Colours, type, and what is the same everywhere. */
export const base = /* css */ `
:root {
  color-scheme: light dark;
  --page: #f5f6f8;
  --card: #ffffff;
  --ink: #171b21;
  --soft: #596373;
  --rule: #e2e6eb;
  --strong-rule: #c5ccd6;
  --focus: #0a5fd1;
  --red: #b3261e;
  --red-tint: #fcebe9;
  --amber: #875200;
  --amber-tint: #fcf1dd;
  --green: #1b7a43;
  --green-tint: #e8f4ec;
  --grey: #596373;
  --grey-tint: #eceff3;
  --success: #b5c3d4;
  --refused: #4a5463;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1216;
    --card: #171b21;
    --ink: #e9ecf0;
    --soft: #9ca7b5;
    --rule: #282f38;
    --strong-rule: #414b57;
    --focus: #6fb1ff;
    --red: #ff8f84;
    --red-tint: #331d1d;
    --amber: #eebb63;
    --amber-tint: #2f2615;
    --green: #74cf99;
    --green-tint: #172b20;
    --grey: #9ca7b5;
    --grey-tint: #232a33;
    --success: #465566;
    --refused: #b3bdc9;
  }
}
* {
  box-sizing: border-box;
}
body {
  margin: 0 auto;
  max-width: 1400px;
  padding: 24px clamp(12px, 3vw, 32px) 40px;
  background: var(--page);
  color: var(--ink);
  font:
    15px/1.45 system-ui,
    -apple-system,
    'Segoe UI',
    Roboto,
    'Helvetica Neue',
    Arial,
    sans-serif;
  font-variant-numeric: tabular-nums;
}
h1,
h2,
h3,
p,
dl,
dd,
ol {
  margin: 0;
  padding: 0;
}
h1 {
  font-size: 20px;
  font-weight: 650;
  letter-spacing: -0.01em;
  overflow-wrap: anywhere;
}
h2 {
  font-size: 17px;
  font-weight: 600;
}
h3 {
  font-size: 13px;
  font-weight: 600;
  color: var(--soft);
}
button,
input,
select {
  font: inherit;
  color: inherit;
}
:focus-visible {
  outline: 2px solid var(--focus);
  outline-offset: 2px;
}
[hidden] {
  display: none !important;
}
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.soft {
  color: var(--soft);
}
.icon {
  flex: none;
  width: 12px;
  height: 12px;
}
`;
