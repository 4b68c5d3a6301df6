const layout = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
  .title { font-size: 20px; font-weight: 600; }
  .subtitle { font-size: 13px; }
  .panel { font-size: 13px; font-weight: 600; }
  .label { text-anchor: end; }`;

const colours = (paper: string, rule: string, ink: string, faint: string, ours: string) => `
  text { fill: ${ink}; }
  .subtitle, .label { fill: ${faint}; }
  .paper { fill: ${paper}; stroke: ${rule}; }
  .peer { fill: ${rule}; }
  .ours { fill: ${ours}; }`;

export const style = `${layout}${colours('#ffffff', '#c4ccd4', '#1f2328', '#59636e', '#1a7f37')}
  @media (prefers-color-scheme: dark) {${colours('#0d1117', '#4b535d', '#f0f6fc', '#9198a1', '#3fb950')}
  }
`;
