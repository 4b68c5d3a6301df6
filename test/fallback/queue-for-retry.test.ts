import { AxiosHeaders } from 'axios';
import {
  BreakerOpenError,
  BulkheadFullError,
  queueForRetry,
  type QueuedRequest,
  type OwnAnswer,
} from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';

const origin = { breaker: 'orders', key: 'default', config: {} };
const refusal = new BreakerOpenError(origin, {
  refused: true,
  state: 'open',
  reason: 'consecutive',
  retryAfterMs: 1_000,
  cause: undefined,
});
const failure = new Error('status 503');

const headers = new AxiosHeaders({
  Accept: 'application/json',
  'Content-Type': 'application/json',
  'Idempotency-Key': 'k-1',
  'X-Tenant': 'acme',
  Authorization: 'Bearer hunter2',
});

const requestOf = (method: string, error: unknown) => ({
  config: { method, url: 'https://a.example/x', headers, data: '{"a":1}' },
  data: { a: 1 },
  error,
  key: 'default',
  clock: new ManualClock(),
});

const methods = ['get', 'head', 'options', 'put', 'delete', 'post', 'patch', 'purge'];

/** The methods of those that get an answer. */
async function answered(options: object, error: unknown): Promise<string[]> {
  const added: string[] = [];
  const fallback = queueForRetry(({ method }) => added.push(method), options);
  for (const method of methods) await fallback.answer(requestOf(method, error));
  return added;
}

describe('queueForRetry', () => {
  it('gives a plain description to the function, and its id to the caller with a 202', async () => {
    const added: QueuedRequest[] = [];
    const add = (request: QueuedRequest) => {
      added.push(request);
      return Promise.resolve('job-1');
    };
    const answer = await queueForRetry(add).answer(requestOf('post', refusal));
    expect(answer).toMatchObject({
      kind: 'queue',
      response: { status: 202, data: { id: 'job-1' }, headers: {} },
    });
    expect(added).toStrictEqual([
      {
        method: 'POST',
        url: 'https://a.example/x',
        data: { a: 1 },
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'idempotency-key': 'k-1',
        },
      },
    ]);
  });

  it.each([[7], [null], [undefined], [{ job: 1 }]])('takes any id: %p', async (id) => {
    const answer = await queueForRetry(() => id).answer(requestOf('post', refusal));
    expect((answer as OwnAnswer).response.data).toStrictEqual({ id });
  });

  it('describes headers by name where they are asked for, credentials too', async () => {
    const add = jest.fn<unknown, [QueuedRequest]>();
    const named = { headers: ['X-TENANT', 'authorization', 'x-absent'] };
    await queueForRetry(add, named).answer(requestOf('post', refusal));
    expect(add.mock.calls[0]?.[0].headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'idempotency-key': 'k-1',
      'x-tenant': 'acme',
      authorization: 'Bearer hunter2',
    });
  });

  it.each([refusal, new BulkheadFullError(origin)])(
    'queues refused requests of every method, for they were not sent: $name',
    async (error) => {
      const all = methods.map((method) => method.toUpperCase());
      expect(await answered({}, error)).toEqual(all);
      expect(await answered({ methods: [] }, error)).toEqual(all);
    },
  );

  it('queues failed requests only where to send them twice does no harm', async () => {
    expect(await answered({}, failure)).toEqual(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
    // A response that was judged a failure.
    expect(await answered({}, { status: 200 })).toHaveLength(5);
  });

  it('queues those failed requests instead that methods names', async () => {
    expect(await answered({ methods: ['post', 'Purge'] }, failure)).toEqual(['POST', 'PURGE']);
    expect(await answered({ methods: [] }, failure)).toEqual([]);
  });

  it('hands on what the function throws', async () => {
    const thrown = new Error('queue down');
    const throws = () => {
      throw thrown;
    };
    await expect(queueForRetry(throws).answer(requestOf('get', refusal))).rejects.toBe(thrown);
    const rejects = () => Promise.reject(thrown);
    await expect(queueForRetry(rejects).answer(requestOf('get', refusal))).rejects.toBe(thrown);
  });

  it('asks no function for what cannot be described', async () => {
    const add = jest.fn();
    const request = { ...requestOf('post', refusal), data: Buffer.from('x') };
    await expect(queueForRetry(add).answer(request)).rejects.toThrow(TypeError);
    expect(add).not.toHaveBeenCalled();
  });

  it.each<[unknown, unknown, Error]>([
    ['queue', {}, new TypeError('Expected `add` to be a function, got "queue"')],
    [undefined, {}, new TypeError('Expected `add` to be a function, got undefined')],
    [jest.fn(), null, new TypeError('Expected `options` to be an object, got null')],
    [jest.fn(), ['POST'], new TypeError('Unknown option `0`. Did you mean `methods`?')],
    [
      jest.fn(),
      { methods: 'POST' },
      new TypeError('Expected `methods` to be a list of methods, got "POST"'),
    ],
    [
      jest.fn(),
      { headers: [1] },
      new RangeError('Expected `headers` to be a list of header names, got [1]'),
    ],
    [jest.fn(), { header: [] }, new TypeError('Unknown option `header`. Did you mean `headers`?')],
  ])('cannot be made of %p and %j', (add, options, error) => {
    expect(() => queueForRetry(add as never, options as never)).toThrow(error);
  });

  it('takes undefined options for none', () => {
    expect(() =>
      queueForRetry(jest.fn(), { methods: undefined, headers: undefined }),
    ).not.toThrow();
  });
});
