import type { Verdict } from '../../src/circuit/permit.js';
import { HeldLine, type Turn } from '../../src/http/held-line.js';
import { ManualClock } from '../../src/testing/index.js';
import { times } from '../support/watch.js';

const never = () => () => undefined;

function setUp() {
  const clock = new ManualClock();
  const line = new HeldLine(clock);
  const turns: string[] = [];
  const wait = (
    name: string,
    { ticket = line.takeTicket(), maxWaiting = 99, maxWait = 1_000 } = {},
  ) => {
    void line
      .wait(ticket, { maxWaiting, maxWait }, never)
      .then((turn: Turn) => turns.push(`${name} ${turn}`));
    return ticket;
  };
  /** The first to come is let go at once, and is out. */
  const occupy = async () => {
    wait('first');
    await settled();
    line.sends();
    turns.length = 0;
  };
  /** How many were let go and have not ended. */
  let sent = 0;
  let ended = 0;
  const send = async () => {
    await settled();
    for (; sent < turns.length; sent += 1) line.sends();
  };
  const end = async (...verdicts: (Verdict | 'limited')[]) => {
    await send();
    for (const verdict of verdicts) {
      const isLimited = verdict === 'limited';
      line.ended(isLimited ? 'failure' : verdict, isLimited);
      ended += 1;
    }
    await send();
  };
  const out = () => sent - ended;
  return { clock, line, turns, wait, occupy, end, out };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a line of held requests', () => {
  it('lets the first go at once, and the next ones as those before them succeed', async () => {
    const { line, turns, wait } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) wait(name);
    await settled();
    expect([turns, line.waiting]).toEqual([['a turn'], 3]);
    line.sends();
    line.ended('success', false);
    await settled();
    expect(turns).toEqual(['a turn', 'b turn', 'c turn']);
  });

  it.each([
    ['failure', 1],
    ['ignored', 2],
  ] as const)('lets so many be out after a success and a %s: %d', async (verdict, expected) => {
    const { line, turns, wait, occupy } = setUp();
    await occupy();
    for (const name of ['a', 'b', 'c', 'd', 'e']) wait(name);
    line.ended('success', false);
    line.sends();
    line.sends();
    line.ended(verdict, false);
    line.ended('ignored', false);
    await settled();
    expect(turns.length - 2).toBe(expected);
  });

  it('starts with one again once it has been empty', async () => {
    const { line, turns, wait, occupy } = setUp();
    await occupy();
    line.ended('success', false);
    expect(line.isEmpty).toBe(true);
    wait('a');
    wait('b');
    await settled();
    expect(turns).toEqual(['a turn']);
    expect(line.isEmpty).toBe(false);
  });

  it.each([
    ['a failure', 8],
    ['limited', 1],
  ] as const)('begins with one again after %s, and grows to so many: %d', async (how, expected) => {
    const { wait, end, out } = setUp();
    for (let name = 0; name < 60; name += 1) wait(String(name));
    for (const ends of [1, 2, 4]) await end(...times<'success'>(ends, 'success'));
    expect(out()).toBe(8);
    await end(how === 'limited' ? how : 'failure', ...times<'ignored'>(7, 'ignored'));
    expect(out()).toBe(1);
    for (let time = 0; time < 7; time += 1) await end('success');
    expect(out()).toBe(expected);
  });

  it.each([
    [99, 1],
    [100, 2],
    [255, 5],
  ])('that met a limit after %i successes goes by %i at most', async (successes, expected) => {
    const { wait, end, out } = setUp();
    for (let name = 0; name < 1_000; name += 1) wait(String(name), { maxWaiting: 1_000 });
    for (let passed = 0; passed < successes; passed += 1) await end('success');
    // All of a group are told the same.
    await end(...times<'limited'>(out(), 'limited'));
    for (let passed = 0; passed < 20; passed += 1) await end('success');
    expect(out()).toBe(expected);
  });

  it('remembers that it was limited when others come to those that wait', async () => {
    const { wait, end, out } = setUp();
    for (let name = 0; name < 20; name += 1) wait(String(name));
    await end('success');
    await end('limited', 'limited');
    wait('late');
    for (let time = 0; time < 5; time += 1) await end('success');
    expect(out()).toBe(1);
  });

  it('remembers that it was limited while the last ones come back, and not for those after them', async () => {
    const { line, wait, end, out } = setUp();
    const tickets = ['a', 'b', 'c'].map((name) => wait(name));
    await end('success');
    await end('limited', 'limited');
    for (const ticket of tickets.slice(1)) wait('again', { ticket });
    line.release();
    await end('success');
    expect(out()).toBe(1);
    await end('success');
    expect(line.isEmpty).toBe(true);
    for (let name = 0; name < 60; name += 1) wait(String(name));
    for (const ends of [1, 2, 4]) await end(...times<'success'>(ends, 'success'));
    expect(out()).toBe(8);
  });

  it('keeps the place of who comes back, and lets nobody ask until there is news', async () => {
    const { line, turns, wait } = setUp();
    const ticket = wait('a');
    await settled();
    line.comesBack();
    wait('a', { ticket });
    await settled();
    expect([turns, line.waiting]).toEqual([['a turn'], 1]);
    wait('b');
    await settled();
    expect([turns, line.waiting]).toEqual([['a turn', 'a turn'], 1]);
  });

  it('has news for who comes back, where there were some meanwhile', async () => {
    const { line, turns, wait } = setUp();
    const ticket = wait('a');
    await settled();
    line.release();
    line.comesBack();
    wait('a', { ticket });
    await settled();
    expect(turns).toEqual(['a turn', 'a turn']);
  });

  it('lets the next go where one gives up', async () => {
    const { line, turns, wait } = setUp();
    wait('a');
    wait('b');
    await settled();
    line.leaves();
    await settled();
    expect(turns).toEqual(['a turn', 'b turn']);
    line.leaves();
    expect(line.isEmpty).toBe(true);
  });

  it('has room for so many, those that ask among them, and not those that are out', async () => {
    const { line, turns, wait, occupy } = setUp();
    await occupy();
    wait('a', { maxWaiting: 1 });
    wait('b', { maxWaiting: 1 });
    await settled();
    expect([turns, line.waiting]).toEqual([['b full'], 1]);
    line.ended('ignored', false);
    wait('c', { maxWaiting: 1 });
    await settled();
    expect(turns).toEqual(['b full', 'a turn', 'c full']);
  });

  it('lets nobody wait for longer than that, and no time is no time', async () => {
    const { clock, line, turns, wait, occupy } = setUp();
    await occupy();
    wait('a', { maxWait: 10 });
    wait('b', { maxWait: 0 });
    await settled();
    expect(turns).toEqual(['b late']);
    clock.advance(10);
    await settled();
    expect([turns, line.waiting]).toEqual([['b late', 'a late'], 0]);
  });

  it('lets all go at once where there is nothing left to wait for', async () => {
    const { line, turns, wait, occupy } = setUp();
    await occupy();
    wait('a');
    wait('b');
    line.releaseAll();
    await settled();
    expect(turns).toEqual(['a turn', 'b turn']);
  });

  it('keeps the process alive while somebody waits', () => {
    const unref = jest.fn();
    const clock = { now: () => 0, setTimeout: () => ({ unref }), clearTimeout: () => undefined };
    const line = new HeldLine(clock);
    void line.wait(line.takeTicket(), { maxWaiting: 1, maxWait: 10 }, never);
    expect(unref).not.toHaveBeenCalled();
  });
});
