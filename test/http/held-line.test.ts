import { HeldLine, type Turn } from '../../src/http/held-line.js';
import { ManualClock } from '../../src/testing/index.js';

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
  return { clock, line, turns, wait, occupy };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a line of held requests', () => {
  it('lets the first go at once, and the next ones as those before them succeed', async () => {
    const { line, turns, wait } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) wait(name);
    await settled();
    expect([turns, line.waiting]).toEqual([['a turn'], 3]);
    line.sends();
    line.ended('success');
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
    line.ended('success');
    line.sends();
    line.sends();
    line.ended(verdict);
    line.ended('ignored');
    await settled();
    expect(turns.length - 2).toBe(expected);
  });

  it('starts with one again once it has been empty', async () => {
    const { line, turns, wait, occupy } = setUp();
    await occupy();
    line.ended('success');
    expect(line.isEmpty).toBe(true);
    wait('a');
    wait('b');
    await settled();
    expect(turns).toEqual(['a turn']);
    expect(line.isEmpty).toBe(false);
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
    line.ended('ignored');
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
