import { createReadStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import type { AxiosRequestConfig } from 'axios';
import {
  degrade,
  firstOf,
  queueForRetry,
  staticFallback,
  type FallbackRequest,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { senders } from '../../support/senders.js';
import { inTurn, openWith503 } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';
import { until } from '../../test-server/exchange.js';

const answer = { data: 'instead', status: 200, fallback: 'degrade' };

describe.each(senders)('H1 · Fallback runs once, by $sender', ({ config: sender }) => {
  expectQuietProcess();
  let rig: Rig;
  afterEach(() => rig.stop());

  it('for each refused call, and for no other', async () => {
    const fallback = jest.fn(() => 'instead');
    rig = await startRig({ fallback, clock: new ManualClock() }, sender);
    await openWith503(rig);
    expect(fallback).not.toHaveBeenCalled();

    const outcomes = await inTurn(3, () => rig.client.get('/outage'));
    expect(outcomes).toMatchObject(times(3, { value: answer }));
    expect(fallback).toHaveBeenCalledTimes(3);
    expect(rig.server.hits()).toBe(5);
    expect(rig.breaker.snapshot().counts).toEqual(
      counts({ admitted: 5, failure: 5, refused: 3, opened: 1 }),
    );
  });

  it('for a call that is out of time, whatever the server says later', async () => {
    const clock = new ManualClock();
    const fallback = jest.fn(() => 'instead');
    rig = await startRig({ fallback, fallbackOn: 'failure', requestTimeout: 100, clock }, sender);
    const { server, client, breaker } = rig;
    const told = watch(breaker);
    server.script('/', [{ status: 503, delay: 100 }]);

    const call = outcome(client.get('/'));
    await until(() => server.hits() === 1);
    clock.advance(100);
    expect((await call).value).toMatchObject(answer);
    await sleep(150);
    expect(fallback.mock.calls).toMatchObject([[{ url: '/' }, { name: 'TimeoutError' }]]);
    expect(told).toEqual(['FAILURE']);
    expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
  });

  it.each(['refusal', 'failure'] as const)(
    'never for an error that the predicate excuses, on any %s',
    async (fallbackOn) => {
      const fallback = jest.fn();
      const errorHandler = (error: { response?: { status: number } }) =>
        error.response?.status !== 404;
      rig = await startRig({ fallback, fallbackOn, errorHandler }, sender);
      const { server, client } = rig;
      server.script('/', [404]);
      const outcomes = await inTurn(3, () => client.get('/'));
      expect(outcomes).toMatchObject(times(3, { error: { response: { status: 404 } } }));
      expect(fallback).not.toHaveBeenCalled();
      expect(server.hits()).toBe(3);
    },
  );

  it('and where it rejects, the caller gets that, with the refusal as its cause', async () => {
    const thrown = new Error('no fallback either');
    rig = await startRig({ fallback: () => Promise.reject(thrown) }, sender);
    const { client, breaker } = rig;
    const refusals: unknown[] = [];
    breaker.on('REFUSE', ({ error }) => refusals.push(error));
    breaker.open();
    expect((await outcome(client.get('/'))).error).toBe(thrown);
    expect(refusals).toHaveLength(1);
    expect(thrown.cause).toBe(refusals[0]);
  });

  it('and where it rejects, the caller gets that, with the failure as its cause', async () => {
    const thrown = new Error('no fallback either');
    const fallback = jest.fn(() => Promise.reject(thrown));
    rig = await startRig({ fallback, fallbackOn: 'failure' }, sender);
    rig.server.script('/', [503]);
    expect((await outcome(rig.client.get('/'))).error).toBe(thrown);
    expect(thrown.cause).toMatchObject({ response: { status: 503 } });
    expect(fallback).toHaveBeenCalledTimes(1);
  });
});

describe('H1 · An upload that is refused', () => {
  expectQuietProcess();
  let rig: Rig;
  let stream: Readable;
  beforeEach(() => {
    stream = createReadStream(__filename);
  });
  // Whoever opened it.
  afterEach(async () => {
    stream.destroy();
    await rig.stop();
  });

  async function refuseUpload(
    fallback: NonNullable<Parameters<typeof startRig>[0]>['fallback'],
    data: unknown = stream,
  ) {
    rig = await startRig({ fallback });
    rig.breaker.open();
    const settled = await outcome(rig.client.post('/', data));
    await sleep(10);
    expect(rig.server.hits()).toBe(0);
    return settled;
  }

  function expectUntouched() {
    expect(stream).toMatchObject({
      readableDidRead: false,
      readableFlowing: null,
      destroyed: false,
      errored: null,
    });
  }

  it('is in the hands of the fallback, unread and not destroyed', async () => {
    const fallback = jest.fn<unknown, [AxiosRequestConfig]>(() => 'instead');
    expect((await refuseUpload(degrade(fallback))).value).toMatchObject(answer);
    expect(fallback.mock.calls[0]?.[0].data).toBe(stream);
    expectUntouched();
  });

  it('is there as the data of the caller, too', async () => {
    const asked: FallbackRequest[] = [];
    const silent = {
      answer: (request: FallbackRequest) => {
        asked.push(request);
        return Promise.resolve(undefined);
      },
    };
    const { error } = await refuseUpload(silent);
    expect(error).toMatchObject({ name: 'BreakerOpenError', config: { data: stream } });
    expect(asked.map(({ data }) => data)).toEqual([stream]);
    expectUntouched();
  });

  it('can be sent elsewhere by the fallback, whole', async () => {
    const fallback = degrade(
      async ({ data }) =>
        (await rig.client.post('/backup', data, { circuitBreaker: false })).status,
    );
    rig = await startRig({ fallback });
    rig.server.script('/backup', [201]);
    rig.breaker.open();
    expect((await rig.client.post('/', stream)).data).toBe(201);
    expect(rig.server.requests('/backup')[0]?.body).toContain(
      'can be sent elsewhere by the fallback',
    );
  });

  it.each([
    ['no fallback', undefined, { name: 'BreakerOpenError' }],
    [
      'queueForRetry, which cannot keep it',
      queueForRetry(() => 1),
      { name: 'TypeError', cause: { name: 'BreakerOpenError' } },
    ],
  ])('is left alone by %s', async (_title, fallback, error) => {
    expect((await refuseUpload(fallback)).error).toMatchObject(error);
    expectUntouched();
  });

  it('is left alone where the next fallback answers', async () => {
    const fallback = firstOf(
      queueForRetry(() => 1),
      staticFallback('later'),
    );
    expect((await refuseUpload(fallback)).value).toMatchObject({ data: 'later' });
    expectUntouched();
  });

  it('is left open, whatever kind of stream it is', async () => {
    const upload = new PassThrough();
    upload.write('begun');
    await refuseUpload(staticFallback('instead'), upload);
    expect(upload).toMatchObject({ readableDidRead: false, destroyed: false });
    upload.destroy();
  });
});
