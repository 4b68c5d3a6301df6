import { escape, size, text, x, y } from './svg-layout.js';
import { band, legend, mark } from './svg-marks.js';
import { style } from './svg-style.js';
import { duration } from './text.js';
import {
  scenario,
  summarize,
  type CloseEntry,
  type Entry,
  type OpenEntry,
  type Timeline,
} from './timeline.js';

/** Times are rounded to half a second, so that two runs draw the same. */
export function svg(timeline: Timeline): string {
  const { endedAt, ...summary } = summarize(timeline);
  const end = Math.max(10_000, rounded(endedAt));
  const place = (at: number) => Math.round(x.from + ((x.to - x.from) * rounded(at)) / end);
  const title = 'A circuit breaker gives a busy server time to rest';
  const subtitle =
    `A client asks every ${duration(scenario.requestEvery)}. At a 429 the breaker opens: ` +
    `for ${duration(scenario.cooldown)} nothing is sent, then it closes by itself.`;
  const caption =
    `${summary.requests} requests: ${summary.sent} sent, ${summary.refused} refused. ` +
    `Opened ${times(summary.opened)}, closed ${times(summary.closed)}. ` +
    `The server itself counted ${summary.hits}.`;
  const periods = periodsOf(timeline.entries);
  const requests = timeline.entries.filter((entry) => entry.type === 'request');

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title desc">
<title id="title">${escape(title)}</title>
<desc id="desc">${escape(`${subtitle} ${caption}`)}</desc>
<style>${style}</style>
<rect class="paper" x=".5" y=".5" width="${size.width - 1}" height="${size.height - 1}" rx="10"/>
${[
  text('title', 32, 42, title),
  text('subtitle', 32, 66, subtitle),
  ...lanes(),
  ...axis(end, place),
  ...periods.map(({ from, to = end }) => band(from, place(from.at), place(to))),
  ...requests.map((request) => mark(request, place(request.at), duration(rounded(request.at)))),
  ...legend(),
  text('caption', 32, y.caption, caption),
].join('\n')}
</svg>
`;
}

function lanes(): string[] {
  return [
    text('lane', 32, y.server + 4, 'server'),
    text('lane', 32, y.breaker + 4, 'breaker'),
    text('lane', 32, y.client + 4, 'client'),
    `<path class="way" d="M${x.from} ${y.breaker}H${x.to}"/>`,
  ];
}

function axis(end: number, place: (at: number) => number): string[] {
  const ticks = Array.from({ length: Math.floor(end / 10_000) + 1 }, (_, index) => index * 10_000);
  return [
    `<path class="rule" d="M${x.from} ${y.axis}H${x.to}"/>`,
    ...ticks.flatMap((at) => [
      `<path class="rule" d="M${place(at)} ${y.axis}v5"/>`,
      text('middle', place(at), y.axis + 20, duration(at)),
    ]),
  ];
}

interface Period {
  readonly from: OpenEntry;
  /** Absent where it has not closed yet. */
  readonly to?: number;
}

function periodsOf(entries: readonly Entry[]): Period[] {
  const closings = entries.filter((entry): entry is CloseEntry => entry.type === 'CLOSE');
  return entries
    .filter((entry): entry is OpenEntry => entry.type === 'OPEN')
    .map((from, index) => ({ from, ...(closings[index] && { to: closings[index].at }) }));
}

const rounded = (ms: number) => Math.round(ms / 500) * 500;

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);
