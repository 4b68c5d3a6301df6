import { heading, introduction, line, summaryText, type Paint } from '../../examples/demo/text.js';
import { summarize } from '../../examples/demo/timeline.js';
import { sample } from './sample.js';

const plain: Paint = (_format, text) => text;
const tagged: Paint = (format, text) => `<${format}>${text}</${format}>`;

describe('a timeline as text', () => {
  it('has a line for each request and each change of the breaker, aligned under the heading', () => {
    const lines = [heading(plain), ...sample.entries.map((entry) => line(entry, plain))];
    expect(lines).toEqual([
      '     time   request   answer                     breaker',
      '    0.0 s      #1     200 OK                     closed',
      '    2.0 s      #2     400 Bad Request            closed',
      '    4.0 s      #3     429 Too Many Requests      open',
      '┌   4.1 s   OPEN      requests are refused for 10 s (reason: first-error)',
      '│   6.0 s      #4     refused, not sent          open',
      '│   8.0 s      #5     refused, not sent          open',
      '└  14.1 s   CLOSE     after 10 s: requests are sent again',
      '   16.0 s      #6     200 OK                     closed',
    ]);
  });

  it('differs in nothing but colour where there are colours', () => {
    for (const entry of sample.entries) {
      const painted = line(entry, tagged);
      expect(painted).toMatch(/<\w+>/);
      expect(painted.replace(/<\/?\w+>/g, '')).toBe(line(entry, plain));
    }
  });

  it('shows a status without a name by its number', () => {
    const entry = { type: 'request', at: 0, number: 1, answer: 599, state: 'closed' } as const;
    expect(line(entry, plain)).toMatch(/#1 +599 +closed$/);
  });

  it('is introduced in lines that fit a terminal, with the speed unless it is that of life', () => {
    for (const textLine of introduction(10).split('\n')) {
      expect(textLine.length).toBeLessThanOrEqual(80);
    }
    expect(introduction(10)).toContain('10 times faster');
    expect(introduction(1)).not.toContain('faster');
  });
});

describe('the summary of a timeline', () => {
  it("counts what was sent and refused, each change, and the server's own hits", () => {
    const summary = summarize(sample);
    expect(summary).toEqual({
      requests: 6,
      sent: 4,
      refused: 2,
      opened: 1,
      closed: 1,
      hits: 4,
      endedAt: 16_040,
    });
    expect(summaryText(summary, plain).split('\n')).toEqual([
      '6 requests in 16 s',
      '  sent        4   reached the server',
      '  refused     2   stopped by the breaker, in the client',
      '  opened      1   times, each after a 429',
      '  closed      1   times, each by itself',
      "  hits        4   by the server's own count: equal to sent",
    ]);
  });

  it('says so in red where the server counted another number than were sent', () => {
    const text = summaryText(summarize({ ...sample, hits: 5 }), tagged);
    expect(text).toContain("<red>by the server's own count, but 4 were sent</red>");
  });

  it('is all zeros where nothing happened', () => {
    const { endedAt, ...counts } = summarize({ entries: [], hits: 0 });
    expect([endedAt, ...Object.values(counts)]).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });
});
