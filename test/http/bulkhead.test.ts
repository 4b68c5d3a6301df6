import { Bulkhead, type BulkheadRules, type Waited } from '../../src/http/bulkhead.js';
import { ManualClock } from '../../src/testing/index.js';

function setUp(rules: Partial<BulkheadRules> = {}) {
  const clock = new ManualClock();
  const bulkhead = new Bulkhead(
    { maxConcurrent: 1, maxQueued: 10, maxQueueWait: 100, ...rules },
    clock,
  );
  const ended: [string, Waited][] = [];
  const cancels = new Map<string, () => void>();
  const letGo = jest.fn();
  const wait = (name: string) =>
    bulkhead
      .wait((cancel) => {
        cancels.set(name, cancel);
        return () => void letGo(name);
      })
      .then((waited) => void ended.push([name, waited]));
  return { clock, bulkhead, ended, cancels, letGo, wait };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('a bulkhead', () => {
  it('has so many places, and no more', () => {
    const { bulkhead } = setUp({ maxConcurrent: 2 });
    expect([bulkhead.tryEnter(), bulkhead.tryEnter(), bulkhead.tryEnter()]).toEqual([
      true,
      true,
      false,
    ]);
    bulkhead.leave();
    expect([bulkhead.tryEnter(), bulkhead.tryEnter()]).toEqual([true, false]);
  });

  it('hands a place that gets free to the one who waits longest', async () => {
    const { bulkhead, ended, wait } = setUp();
    bulkhead.tryEnter();
    void wait('first');
    void wait('second');
    expect(bulkhead.queued).toBe(2);
    bulkhead.leave();
    await settle();
    expect(ended).toEqual([['first', 'place']]);
    expect(bulkhead.tryEnter()).toBe(false);
    bulkhead.leave();
    await settle();
    expect(ended).toEqual([
      ['first', 'place'],
      ['second', 'place'],
    ]);
    bulkhead.leave();
    expect(bulkhead.tryEnter()).toBe(true);
  });

  it('lets no more wait than may', async () => {
    const { bulkhead, ended, wait, cancels } = setUp({ maxQueued: 1 });
    bulkhead.tryEnter();
    void wait('first');
    await wait('second');
    expect(ended).toEqual([['second', 'full']]);
    expect(cancels.has('second')).toBe(false);
    expect(bulkhead.queued).toBe(1);
  });

  it('lets nobody wait longer than may be', async () => {
    const { clock, bulkhead, ended, letGo, wait } = setUp();
    bulkhead.tryEnter();
    void wait('first');
    clock.advance(99);
    void wait('second');
    clock.advance(1);
    await settle();
    expect(ended).toEqual([['first', 'full']]);
    expect(letGo.mock.calls).toEqual([['first']]);
    expect(bulkhead.queued).toBe(1);
  });

  it('lets go at once of who had given up before', async () => {
    const { bulkhead } = setUp();
    bulkhead.tryEnter();
    const waited = await bulkhead.wait((cancel) => {
      cancel();
      return () => undefined;
    });
    expect([waited, bulkhead.queued, bulkhead.isEmpty]).toEqual(['cancelled', 0, false]);
    bulkhead.leave();
    expect(bulkhead.isEmpty).toBe(true);
  });

  it('frees the place in the queue of who gives up at once', async () => {
    const { bulkhead, ended, cancels, wait } = setUp({ maxQueued: 1 });
    bulkhead.tryEnter();
    void wait('first');
    cancels.get('first')?.();
    expect(bulkhead.queued).toBe(0);
    void wait('second');
    bulkhead.leave();
    await settle();
    expect(ended).toEqual([
      ['first', 'cancelled'],
      ['second', 'place'],
    ]);
  });

  it('refuses all who wait at once, and their timers are stopped', async () => {
    const { clock, bulkhead, ended, letGo, wait } = setUp();
    const clear = jest.spyOn(clock, 'clearTimeout');
    bulkhead.tryEnter();
    void wait('first');
    void wait('second');
    bulkhead.refuseWaiting();
    await settle();
    expect(ended).toEqual([
      ['first', 'opened'],
      ['second', 'opened'],
    ]);
    expect([clear.mock.calls.length, letGo.mock.calls.length, bulkhead.queued]).toEqual([2, 2, 0]);
  });
});
