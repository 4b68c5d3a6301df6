/** @jest-environment jsdom */
import { chart } from '../../bench/report/chart.js';
import { count, duration, percent } from '../../bench/report/formats.js';
import { table } from '../../bench/report/table.js';

describe('what a bench reports', () => {
  it('is a table of Markdown, names to the left and figures to the right', () => {
    expect(
      table(
        ['', 'sent'],
        [
          ['ours', '5'],
          ['a peer', '4900'],
        ],
      ),
    ).toBe(
      ['|        | sent |', '| ------ | ---: |', '| ours   |    5 |', '| a peer | 4900 |'].join(
        '\n',
      ),
    );
  });

  it('is a chart with a bar for each figure, as long as its share of the longest in its panel', () => {
    const bars = [
      { label: 'circuit-guard', value: 10, text: '10' },
      { label: 'peer <1>', value: 40, text: '40' },
      { label: 'blind', value: undefined, text: 'never' },
    ];
    const svg = chart({ title: 'T', subtitle: 'S', panels: [{ title: 'sent & lost', bars }] });
    const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml');

    expect(drawn.querySelector('parsererror')).toBeNull();
    const lengths = [...drawn.querySelectorAll('.ours, .peer')].map((bar) =>
      Number(bar.getAttribute('width')),
    );
    expect(lengths).toEqual([(lengths[1] ?? 0) / 4, lengths[1], 0]);
    expect(drawn.querySelectorAll('.ours')).toHaveLength(1);
    expect(drawn.querySelector('#desc')?.textContent).toBe(
      'sent & lost: circuit-guard 10, peer <1> 40, blind never.',
    );
  });

  it.each([
    [count(11.94), '11.9'],
    [count(4_900), '4900'],
    [duration(80.4), '80 ms'],
    [duration(5_020), '5.02 s'],
    [percent(0.0017), '0.17 %'],
    [duration(undefined), '–'],
  ])('writes %s', (written, expected) => {
    expect(written).toBe(expected);
  });
});
