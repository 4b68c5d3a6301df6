import { oneLine } from '../../src/circuit/one-line.js';

describe('what is shown of a message', () => {
  it.each([
    ['connect ECONNREFUSED 127.0.0.1:80', 'connect ECONNREFUSED 127.0.0.1:80'],
    ['', ''],
    ['first\nsecond', 'first'],
    ['first\r\nsecond', 'first'],
    ['first\u2028second', 'first'],
    ['got "a" and "b".', 'got "…" and "…".'],
    ['got "a', 'got "…"'],
    ["reading 'status'", "reading 'status'"],
    ['at https://me:pass@a.example/x?y=1#z now', 'at https://a.example/x now'],
    ['at https://me@you@a.example now', 'at https://a.example now'],
    ['at wss://a.example:8080?y now', 'at wss://a.example:8080 now'],
    ['of http://a.example#z and http://b.example', 'of http://a.example and http://b.example'],
    ['mail me@a.example', 'mail me@a.example'],
    ['a'.repeat(200), 'a'.repeat(200)],
    ['a'.repeat(201), `${'a'.repeat(200)}…`],
  ])('of %j is %j', (message, shown) => {
    expect(oneLine(message)).toBe(shown);
  });

  it('takes no time to speak of, whatever the message', () => {
    const start = performance.now();
    for (const piece of ['a', '"', 'a://', '://', '@', 'a.']) oneLine(piece.repeat(1_000_000));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
