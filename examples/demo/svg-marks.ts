import { escape, text, y } from './svg-layout.js';
import { answerText, duration } from './text.js';
import { outcomeOf, type OpenEntry, type Outcome, type RequestEntry } from './timeline.js';

const shapes: Record<Outcome, string> = {
  success: '<circle class="shape" r="6"/>',
  error: '<path class="shape" d="M0-7 7 5.5H-7z"/>',
  'rate-limited': '<path class="shape" d="M-6-6H6V6H-6z"/>',
  refused: '<path class="shape" d="M-4.5-4.5 4.5 4.5M4.5-4.5-4.5 4.5"/>',
};

const meanings: Record<Outcome, string> = {
  success: '200: all is well',
  error: '400: the breaker stays closed',
  'rate-limited': '429: the breaker opens',
  refused: 'refused, not sent',
};

export function band(open: OpenEntry, from: number, to: number): string {
  const height = y.axis - y.band;
  return [
    `<g><title>${escape(`Open for ${duration(open.cooldownMs)} (${open.reason})`)}</title>`,
    `<rect class="open" x="${from}" y="${y.band}" width="${to - from}" height="${height}" rx="4"/>`,
    `<path class="gate" d="M${from} ${y.breaker}H${to}"/>`,
    text('open-label', (from + to) / 2, y.band + 20, 'OPEN'),
    '</g>',
  ].join('');
}

/** @param at - when, in words. */
export function mark(entry: RequestEntry, x: number, at: string): string {
  const outcome = outcomeOf(entry);
  const isRefused = outcome === 'refused';
  const end = isRefused ? y.breaker + 12 : y.server;
  const title = `#${entry.number} at ${at}: ${answerText(entry)}`;
  const hasLabel = !isRefused && outcome !== 'success';
  return [
    `<path class="stem" d="M${x} ${y.client}V${end}"/>`,
    `<circle class="origin" cx="${x}" cy="${y.client}" r="2.5"/>`,
    `<g class="mark ${outcome}" transform="translate(${x} ${end})"><title>${escape(title)}</title>${shapes[outcome]}</g>`,
    hasLabel ? text('status', x, y.server - 13, String(entry.answer)) : '',
  ].join('');
}

export function legend(): string[] {
  let x = 40;
  return Object.entries(meanings).map(([outcome, meaning]) => {
    const shape = `<g class="${outcome}" transform="translate(${x} ${y.legend - 4})">${shapes[outcome as Outcome]}</g>`;
    const label = text('legend', x + 14, y.legend, meaning);
    x += meaning.length * 7 + 48;
    return shape + label;
  });
}
