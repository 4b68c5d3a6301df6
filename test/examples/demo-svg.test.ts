/** @jest-environment jsdom */
import { svg } from '../../examples/demo/svg.js';
import { text } from '../../examples/demo/svg-layout.js';
import type { Timeline } from '../../examples/demo/timeline.js';
import { sample, shifted } from './sample.js';

function draw(timeline: Timeline): Document {
  const drawn = new DOMParser().parseFromString(svg(timeline), 'image/svg+xml');
  expect(drawn.querySelector('parsererror')).toBeNull();
  return drawn;
}

const all = (drawn: Document, selector: string) => [...drawn.querySelectorAll(selector)];
const textOf = (drawn: Document, selector: string) =>
  all(drawn, selector).map(({ textContent }) => textContent);
const numbersOf = (element: Element, ...names: string[]) =>
  names.map((name) => Number(element.getAttribute(name)));

describe('a timeline as a picture', () => {
  it('has a mark for each request, whose title tells what became of it', () => {
    expect(textOf(draw(sample), '.mark > title')).toEqual([
      '#1 at 0 s: 200 OK',
      '#2 at 2 s: 400 Bad Request',
      '#3 at 4 s: 429 Too Many Requests',
      '#4 at 6 s: refused, not sent',
      '#5 at 8 s: refused, not sent',
      '#6 at 16 s: 200 OK',
    ]);
  });

  it('tells the outcomes apart by shape, and explains each shape in the legend', () => {
    const drawn = draw(sample);
    const outcomes = ['success', 'error', 'rate-limited', 'refused'];
    const shapesOf = (outcome: string) =>
      new Set(all(drawn, `.${outcome} > .shape`).map((shape) => shape.outerHTML));
    expect(outcomes.map((outcome) => shapesOf(outcome).size)).toEqual([1, 1, 1, 1]);
    expect(new Set(outcomes.flatMap((outcome) => [...shapesOf(outcome)])).size).toBe(4);
    expect(all(drawn, 'g:not(.mark) > .shape')).toHaveLength(4);
    expect(textOf(drawn, '.legend')).toHaveLength(4);
  });

  it('shades each time from OPEN to CLOSE, and labels it', () => {
    const drawn = draw(sample);
    const [band, ...others] = all(drawn, '.open') as [Element];
    expect(others).toEqual([]);
    expect(textOf(drawn, '.open-label')).toEqual(['OPEN']);

    const xOf = (title: string) => {
      const mark = all(drawn, '.mark').find(({ textContent }) => textContent.startsWith(title));
      return Number(/\((\S+)/.exec(mark?.getAttribute('transform') ?? '')?.[1]);
    };
    const [x = 0, width = 0] = numbersOf(band, 'x', 'width');
    expect(x).toBe(xOf('#3'));
    expect(x + width).toBeGreaterThan(xOf('#5'));
    expect(x + width).toBeLessThan(xOf('#6'));
  });

  it('shades to the end where the breaker is still open', () => {
    const drawn = draw({ ...sample, entries: sample.entries.slice(0, 6) });
    const [x = 0, width = 0] = all(drawn, '.open').flatMap((band) => numbersOf(band, 'x', 'width'));
    expect(x + width).toBe(866);
  });

  it('has a time axis in seconds, and the summary as its caption', () => {
    const drawn = draw(sample);
    expect(textOf(drawn, '.middle')).toEqual(['0 s', '10 s']);
    expect(textOf(drawn, '.caption')).toEqual([
      '6 requests: 4 sent, 2 refused. Opened once, closed once. The server itself counted 4.',
    ]);
  });

  it('is read out with a title and a description', () => {
    const drawn = draw(sample);
    const root = drawn.documentElement;
    expect(root.getAttribute('role')).toBe('img');
    expect(root.getAttribute('aria-labelledby')).toBe('title desc');
    expect(textOf(drawn, '#title')).toEqual([expect.stringContaining('circuit breaker')]);
    expect(textOf(drawn, '#desc')).toEqual([expect.stringContaining('4 sent, 2 refused')]);
  });

  it('has colours for light and for dark', () => {
    expect(textOf(draw(sample), 'style')[0]).toContain('@media (prefers-color-scheme: dark)');
  });

  it('is the same for two runs that differ by milliseconds', () => {
    expect(svg(shifted(60))).toBe(svg(sample));
  });

  it('is well-formed where nothing happened', () => {
    expect(all(draw({ entries: [], hits: 0 }), '.mark')).toEqual([]);
  });

  it('escapes text', () => {
    expect(text('note', 1, 2, '<b> & "c"')).toBe(
      '<text class="note" x="1" y="2">&lt;b&gt; &amp; "c"</text>',
    );
  });
});
