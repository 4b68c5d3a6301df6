import { redact } from '../../src/status/redact.js';

describe('the message of an error, as others may read it', () => {
  it.each([
    ['Request failed with status code 503', 'Request failed with status code 503'],
    ['connect ECONNREFUSED 127.0.0.1:80', 'connect ECONNREFUSED 127.0.0.1:80'],
    ['Is it down?', 'Is it down?'],
    ['GET https://a.example/x?token=s3cret failed', 'GET https://a.example/x?… failed'],
    ['at https://a.example/#s3cret', 'at https://a.example/?…'],
    ['at "https://me:s3cret@a.example/x"', 'at "https://a.example/x"'],
    ['redis://:s3c@ret@db.example:6379/0', 'redis://db.example:6379/0'],
    ['GET /orders?token=s3cret: 500', 'GET /orders?… 500'],
    ['GET /orders?a=1&token=s3cret 500', 'GET /orders?… 500'],
    ['a\n  b\tc ', 'a b c'],
  ])('%p is %p', (message, shown) => {
    expect(redact(message)).toBe(shown);
  });

  it('is cut where it is long, and never in the middle of what it hides', () => {
    expect(redact('word '.repeat(10_000))).toBe(`${'word '.repeat(59)}word…`);
    expect(
      redact(`${'?a=1 '.repeat(395)}https://me:s3cret${'x'.repeat(99)}@a.example/`),
    ).not.toContain('s3');
  });

  it.each(['?', 'a', '://', '?='])('takes no time where it is %p over and over', (part) => {
    const start = performance.now();
    redact(part.repeat(1_000_000));
    expect(performance.now() - start).toBeLessThan(200);
  });
});
