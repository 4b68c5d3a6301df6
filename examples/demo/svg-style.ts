type Palette = Record<
  'paper' | 'ink' | 'faint' | 'rule' | 'green' | 'amber' | 'red' | 'rest',
  string
>;

const light: Palette = {
  paper: '#ffffff',
  ink: '#1f2328',
  faint: '#59636e',
  rule: '#c4ccd4',
  green: '#1a7f37',
  amber: '#9a6700',
  red: '#cf222e',
  rest: '#fbe9ea',
};

const dark: Palette = {
  paper: '#0d1117',
  ink: '#f0f6fc',
  faint: '#9198a1',
  rule: '#4b535d',
  green: '#3fb950',
  amber: '#d29922',
  red: '#f85149',
  rest: '#341a1f',
};

const layout = `
  text { font: 13px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
  .title { font-size: 20px; font-weight: 600; }
  .caption { font-size: 14px; }
  .lane { font-weight: 600; }
  .status { font-size: 11px; }
  .middle, .status, .open-label { text-anchor: middle; }
  .open-label { font-weight: 700; letter-spacing: .08em; }
  .rule, .way, .refused .shape { fill: none; }
  .way { stroke-dasharray: 2 5; }
  .gate { stroke-width: 4; }
  .stem { stroke-width: 1.5; }
  .error .shape { stroke-width: 2; stroke-linejoin: round; }
  .refused .shape { stroke-width: 2; stroke-linecap: round; }`;

// Written out, because some viewers know neither custom properties nor `light-dark()`.
const colours = ({ paper, ink, faint, rule, green, amber, red, rest }: Palette) => `
  text, .origin { fill: ${faint}; }
  .title, .caption, .lane { fill: ${ink}; }
  .paper { fill: ${paper}; stroke: ${rule}; }
  .rule, .way, .stem { stroke: ${rule}; }
  .open { fill: ${rest}; }
  .open-label { fill: ${red}; }
  .gate { stroke: ${red}; }
  .success .shape { fill: ${green}; }
  .error .shape { fill: ${paper}; stroke: ${amber}; }
  .rate-limited .shape { fill: ${red}; }
  .refused .shape { stroke: ${ink}; }`;

export const style = `${layout}${colours(light)}
  @media (prefers-color-scheme: dark) {${colours(dark).replaceAll('\n', '\n  ')}
  }
`;
