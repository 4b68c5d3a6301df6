import { FunctionBreaker } from '../../src/index.js';
import { buckets } from '../../src/status/timeline.js';
import { ManualClock } from '../../src/testing/index.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { createBoard, statuses, watch } from './boards.js';
import { createGuarded, trip } from './guarded.js';

const keyed = { key: ({ url = '' }: { url?: string }) => url };

describe('what is known of a circuit', () => {
  expectQuietProcess();

  it('is its figures, from the snapshot of the breaker', async () => {
    const guarded = createGuarded({ name: 'orders' });
    const { board } = watch(guarded);
    await guarded.get();
    guarded.answer = { status: 500, ms: 80 };
    await guarded.get();
    expect(statuses(board)).toEqual([
      {
        breaker: 'orders',
        key: 'default',
        state: 'closed',
        refuses: false,
        failureRate: 0.5,
        slowRate: 0,
        inFlight: 0,
        queued: 0,
        retryAfterMs: 0,
        openReason: null,
        lastError: { message: 'status 500', code: 'ERR_BAD', status: 500 },
        latency: { p50Ms: 0.0443, p95Ms: 78.5 },
        recent: { success: 1, failure: 1, refused: 0 },
        counts: guarded.breaker.snapshot().counts,
      },
    ]);
  });

  it('says for how long an open one refuses, and why', async () => {
    const guarded = createGuarded();
    const { board } = watch(guarded);
    await trip(guarded);
    await guarded.get();
    guarded.clock.advance(4_000);
    expect(statuses(board)[0]).toMatchObject({
      state: 'open',
      refuses: true,
      retryAfterMs: 6_000,
      openReason: 'consecutive',
      recent: { success: 0, failure: 3, refused: 1 },
    });
  });

  it('says null where only a command ends it', () => {
    const guarded = createGuarded();
    const { board } = watch(guarded);
    guarded.breaker.open();
    expect(statuses(board)[0]).toMatchObject({
      state: 'forced-open',
      openReason: 'manual',
      retryAfterMs: null,
    });
  });

  it('says that one which only observes refuses nothing', async () => {
    const guarded = createGuarded({ mode: 'observe' });
    const { board } = watch(guarded);
    await trip(guarded);
    expect(statuses(board)[0]).toMatchObject({ state: 'open', refuses: false });
  });

  it('hides what addresses in messages hold', async () => {
    const guarded = createGuarded();
    const { board } = watch(guarded);
    guarded.answer = { status: 500, message: 'GET https://me:pass@a.example/x?token=s3cret' };
    await guarded.get();
    expect(statuses(board)[0]?.lastError?.message).toBe('GET https://a.example/x');
  });

  it('counts no cancelled request', async () => {
    const guarded = createGuarded();
    const { board } = watch(guarded);
    const isOver = AbortSignal.abort();
    await guarded.client.get('/', { signal: isOver }).catch(() => undefined);
    const [status] = statuses(board);
    expect(status).toMatchObject({ latency: null, recent: { success: 0, failure: 0, refused: 0 } });
  });
});

describe('what is known of a breaker around a function', () => {
  it('is the same', async () => {
    const clock = new ManualClock();
    const breaker = new FunctionBreaker(() => Promise.reject(new Error('down')), {
      name: 'disk',
      consecutiveFailures: 2,
      clock,
    });
    const { board } = createBoard([breaker], clock);
    for (let call = 1; call <= 3; call += 1) await breaker.call().catch(() => undefined);
    expect(statuses(board)).toMatchObject([
      {
        breaker: 'disk',
        key: 'default',
        state: 'open',
        lastError: { message: 'down', code: null, status: null },
        recent: { success: 0, failure: 2, refused: 1 },
      },
    ]);
  });
});

describe('the changes of a circuit', () => {
  it('are told as they happen, with their reasons, the newest first', async () => {
    const guarded = createGuarded({ halfOpen: {} });
    const { board, onChange } = watch(guarded);
    await trip(guarded);
    guarded.clock.advance(10_000);
    await guarded.get();
    expect(onChange.mock.calls.map(([{ snapshot }]) => snapshot.state)).toEqual([
      'open',
      'half-open',
      'closed',
    ]);
    expect(board.sightings()[0]?.record.changes).toEqual([
      { at: 10_000, state: 'closed', reason: 'probes-passed' },
      { at: 10_000, state: 'half-open', reason: undefined },
      { at: 0, state: 'open', reason: 'consecutive' },
    ]);
  });

  it('are those of its last openings only', async () => {
    const guarded = createGuarded();
    const { board } = watch(guarded);
    for (let opening = 1; opening <= 20; opening += 1) {
      await trip(guarded);
      guarded.clock.advance(100_000);
    }
    expect(board.sightings()[0]?.record.changes).toHaveLength(8);
  });

  it('are seen where no event tells them', () => {
    const guarded = createGuarded();
    const { board, onChange } = watch(guarded);
    guarded.breaker.disable();
    expect(onChange).not.toHaveBeenCalled();
    guarded.clock.advance(3_000);
    expect(onChange).toHaveBeenCalledTimes(1);
    expect(board.sightings()[0]?.record).toMatchObject({
      since: 3_000,
      changes: [{ at: 3_000, state: 'disabled', reason: undefined }],
    });
  });

  it('include the opening by the first request of a new key', async () => {
    const guarded = createGuarded({ ...keyed, consecutiveFailures: 1 });
    const { board } = watch(guarded);
    guarded.answer = { status: 503 };
    await guarded.get('a');
    expect(board.sightings()[0]?.record.changes).toMatchObject([{ state: 'open' }]);
  });

  it('do not include what was so before anybody watched', async () => {
    const guarded = createGuarded();
    await trip(guarded);
    const { board } = watch(guarded);
    const [seen] = board.sightings();
    expect(seen?.record.changes).toEqual([]);
    expect(seen?.record.timeline.read(0).states).toBe('4'.padStart(buckets, '0'));
  });
});

describe('the keys of a breaker', () => {
  it('are each a circuit; before the first request the breaker stands for itself', async () => {
    const guarded = createGuarded({ ...keyed, name: 'stock' });
    const { board } = watch(guarded);
    const seen = () => statuses(board).map(({ breaker, key }) => [breaker, key]);
    expect(seen()).toEqual([['stock', null]]);
    await guarded.get('a"b');
    await guarded.get('<i>');
    expect(seen()).toEqual([
      ['stock', 'a"b'],
      ['stock', '<i>'],
    ]);
  });

  it('are forgotten once their circuits are evicted', async () => {
    const guarded = createGuarded({ ...keyed, maxKeys: 2 });
    const { board } = watch(guarded);
    for (const key of ['a', 'b', 'c']) await guarded.get(key);
    expect(board.sightings().map(({ record }) => record.key)).toEqual(['b', 'c']);
    guarded.clock.advance(3_000);
    await guarded.get('a');
    const [, back] = board.sightings();
    expect(back?.record.timeline.totals(board.now())).toMatchObject({ success: 1 });
  });

  it('take no more memory however many come and go between two looks', async () => {
    const guarded = createGuarded({ ...keyed, maxKeys: 5 });
    const { board } = watch(guarded);
    for (let key = 0; key < 1_000; key += 1) await guarded.get(`key ${key}`);
    const everyId = Array.from({ length: 2_000 }, (_, id) => id);
    expect(board.find(everyId).length).toBeLessThan(30);
    expect(board.sightings()).toHaveLength(5);
  });
});
