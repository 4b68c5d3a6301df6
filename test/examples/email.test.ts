import { runExample } from './run-example.js';

describe('the example of a service that sends e-mails', () => {
  let example: Awaited<ReturnType<typeof runExample>>;
  let lines: string[];
  beforeAll(async () => {
    example = await runExample('email');
    lines = example.stdout.trimEnd().split('\n');
  }, 30_000);

  const linesOf = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
  const at = (pattern: RegExp) => lines.findIndex((line) => pattern.test(line));

  it('ends by itself, with exit code 0 and no complaint', () => {
    expect(example).toMatchObject({ code: 0, stderr: '' });
  });

  it('gives every mail an answer: sent, or a place in the queue', () => {
    const answers = linesOf(/^mail/);
    expect(answers).toHaveLength(15);
    const waiting = answers.filter((line) => line.includes('waits'));
    expect(answers.filter((line) => line.endsWith(' sent'))).toHaveLength(15 - waiting.length);
    const places = waiting.map(
      (_, index) =>
        `mail ${String(index + 4).padStart(2)}   waits, number ${index + 1} in the queue`,
    );
    expect(waiting).toEqual(places);
    // Three failed; how many were refused depends on the machine.
    expect(waiting.length).toBeGreaterThanOrEqual(3);
  });

  it('leaves the API alone from the third failure on, until a probe closes the breaker', () => {
    expect(at(/-- OPEN/)).toBe(at(/^mail {2}6/) - 1);
    expect(at(/-- HALF_OPEN/)).toBeGreaterThan(at(/-- OPEN/));
    expect(at(/-- CLOSE/)).toBe(at(/-- HALF_OPEN/) + 1);
    expect(lines[at(/-- CLOSE/) + 1]).toMatch(/^mail .+ {3}sent$/);
  });

  it('sends each mail that waited, once, after the breaker has closed', () => {
    const waited = linesOf(/waits/).map((line) => `mail-${/\d+/.exec(line)?.[0]}`);
    const late = linesOf(/ sent at last$/).map((line) => /mail-\d+/.exec(line)?.[0]);
    expect(late).toEqual(waited);
    expect(at(/ sent at last$/)).toBeGreaterThan(at(/-- CLOSE/));
  });

  it("loses no mail and sends none twice, by the API's own count", () => {
    expect(lines.at(-1)).toBe("By the API's own count, 15 of 15 mails arrived, 0 of them twice.");
  });
});
