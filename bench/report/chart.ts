import { escape } from '../../examples/demo/svg-layout.js';
import { style } from './chart-style.js';

/** A group of bars with one scale. */
export interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly label: string;
  /** None: no bar. */
  readonly value: number | undefined;
  readonly text: string;
}

interface Chart {
  readonly title: string;
  readonly subtitle: string;
  readonly panels: readonly Panel[];
}

const columns = 2;
const panelWidth = 470;
const barsFrom = 200;
const longestBar = 160;
const barHeight = 20;

/** Bars in panels, side by side and below each other, as an SVG image. */
export function chart({ title, subtitle, panels }: Chart): string {
  const rows = Math.max(...panels.map(({ bars }) => bars.length));
  const panelHeight = rows * barHeight + 54;
  const width = columns * panelWidth + 20;
  const height = Math.ceil(panels.length / columns) * panelHeight + 90;
  const drawn = panels.map((panel, index) => {
    const x = 20 + (index % columns) * panelWidth;
    const y = 90 + Math.floor(index / columns) * panelHeight;
    return `<g transform="translate(${x} ${y})">\n${drawPanel(panel)}\n</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title desc">
<title id="title">${escape(title)}</title>
<desc id="desc">${escape(describe(panels))}</desc>
<style>${style}</style>
<rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>
${text('title', 20, 40, title)}
${text('subtitle', 20, 62, subtitle)}
${drawn.join('\n')}
</svg>
`;
}

function drawPanel({ title, bars }: Panel): string {
  const most = Math.max(...bars.map(({ value = 0 }) => value), Number.MIN_VALUE);
  const lines = bars.flatMap(({ label, value = 0, text: figure }, index) => {
    const y = 20 + index * barHeight;
    const length = Math.round((longestBar * value) / most);
    const className = label.startsWith('circuit-guard') ? 'ours' : 'peer';
    return [
      text('label', barsFrom - 8, y + 11, label),
      `<rect class="${className}" x="${barsFrom}" y="${y}" width="${length}" height="14" rx="2"/>`,
      text('figure', barsFrom + length + 6, y + 11, figure),
    ];
  });
  return [text('panel', 0, 0, title), ...lines].join('\n');
}

const describe = (panels: readonly Panel[]) =>
  panels
    .map(({ title, bars }) => {
      const figures = bars.map(({ label, text: figure }) => `${label} ${figure}`);
      return `${title}: ${figures.join(', ')}.`;
    })
    .join(' ');

const text = (className: string, x: number, y: number, content: string) =>
  `<text class="${className}" x="${x}" y="${y}">${escape(content)}</text>`;
