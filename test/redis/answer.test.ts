import { readAnswer } from '../../src/redis/answer.js';

const usual = { status: 'ok', incarnation: 'first', epoch: 3, now: 1_000.5 };
const read = (given: object) => readAnswer(JSON.stringify({ ...usual, ...given }));
const open = ['id', 'open', 3, 250, 'probe', 2];

describe('an answer of the script', () => {
  it('is read as it is', () => {
    const fleet = [['*', 'open', 2]];
    expect(read({ circuits: [open], fleet, granted: true, waitMs: 5, leaseEpoch: 3 })).toEqual({
      ...usual,
      circuits: [{ id: 'id', state: 'open', epoch: 3, waitMs: 250, recovery: 'probe', row: 2 }],
      fleet: [{ id: '*', command: 'open', epoch: 2 }],
      granted: true,
      waitMs: 5,
      leaseEpoch: 3,
    });
  });

  it('says nothing of what it leaves out, and has no list where Lua writes an empty one', () => {
    const nothing = { circuits: [], fleet: [], granted: false, waitMs: 0, leaseEpoch: 0 };
    expect(read({ circuits: {}, fleet: {} })).toEqual({ ...usual, ...nothing });
    expect(read({})).toEqual({ ...usual, ...nothing });
  });

  it('may come as bytes', () => {
    expect(readAnswer(Buffer.from(JSON.stringify(usual)))).toMatchObject(usual);
  });

  it.each([
    ['nothing', null],
    ['a number', 7],
    ['text that is no JSON', 'OK'],
    ['JSON that is no object', '"ok"'],
    ['null', 'null'],
    ['a list', '[]'],
    ['what cannot be text', Object.create(null)],
    ['an unknown status', JSON.stringify({ ...usual, status: 'fine' })],
    ['an incarnation that is no text', JSON.stringify({ ...usual, incarnation: 1 })],
    ['a negative epoch', JSON.stringify({ ...usual, epoch: -1 })],
    ['an epoch in parts', JSON.stringify({ ...usual, epoch: 1.5 })],
    ['an epoch too large to count', JSON.stringify({ ...usual, epoch: 2 ** 53 })],
    ['no time', JSON.stringify({ ...usual, now: null })],
    ['a time without end', '{"status":"ok","incarnation":"first","epoch":3,"now":1e999}'],
    [
      'fields of a prototype',
      JSON.stringify({}).replace('}', `"__proto__":${JSON.stringify(usual)}}`),
    ],
  ])('is none where Redis sends %s', (_what, reply) => {
    expect(() => readAnswer(reply)).toThrow(
      new TypeError('Redis answered what the script does not say'),
    );
  });

  it.each([
    ['no list', { 0: 'id' }],
    ['too short', ['id', 'open']],
    ['an id that is no text', [1, ...open.slice(1)]],
    ['an unknown state', ['id', 'half-open', 3, 250, 'probe', 2]],
    ['a negative epoch', ['id', 'open', -3, 250, 'probe', 2]],
    ['a negative wait', ['id', 'open', 3, -1, 'probe', 2]],
    ['a wait that is text', ['id', 'open', 3, '250', 'probe', 2]],
    ['an unknown recovery', ['id', 'open', 3, 250, 'luck', 2]],
    ['a negative row', ['id', 'open', 3, 250, 'probe', -2]],
  ])('passes over a circuit with %s, and reads the others', (_what, circuit) => {
    expect(read({ circuits: [circuit, open] }).circuits).toMatchObject([{ id: 'id', epoch: 3 }]);
  });

  it.each([
    ['an id that is no text', [null, 'open', 2]],
    ['an unknown command', ['*', 'disable', 2]],
    ['an epoch in parts', ['*', 'open', 2.5]],
    ['no list', 'open'],
  ])('passes over a command with %s', (_what, command) => {
    expect(read({ fleet: [command] }).fleet).toEqual([]);
  });

  it('has no row that goes on longer than any matters', () => {
    const [circuit] = read({ circuits: [['id', 'open', 3, 250, 'probe', 1e9]] }).circuits;
    expect(circuit?.row).toBe(100);
  });

  it.each([
    [{ granted: 'yes' }, { granted: false }],
    [{ waitMs: -5 }, { waitMs: 0 }],
    [{ waitMs: 'long' }, { waitMs: 0 }],
    [{ leaseEpoch: 1.5 }, { leaseEpoch: 0 }],
  ])('takes %j for nothing', (given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });
});
