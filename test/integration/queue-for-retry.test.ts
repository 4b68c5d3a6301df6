import { Readable } from 'node:stream';
import axios, { type AxiosInstance, type AxiosRequestConfig } from 'axios';
import axiosRetry from 'axios-retry';
import {
  isBreakerOpenError,
  queueForRetry,
  type CircuitBreakerOptions,
  type QueuedRequest,
} from '../../src/index.js';
import { describeIf, isAxiosFrom, sendsConfigsAgain } from '../support/axios-version.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { attachRig, outcome, startRig, startServer, type Rig } from '../support/rig.js';
import { startRigBeside } from '../support/rig-around.js';
import { senders } from '../support/senders.js';
import type { SeenRequest } from '../../test-server/request-log.js';

const json = { 'Content-Type': 'application/json' };
const xml = { 'Content-Type': 'text/xml' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const order = { id: 7, items: [{ name: 'smörgås', at: new Date(0) }], note: null, none: undefined };
const filter = {
  page: 2,
  ids: [1, 2],
  q: 'a b&c/d:e',
  nested: { from: new Date(0), tags: ['x', 'y'] },
  none: null,
};

// axios 1.0 sends no query that is part of the URL.
const sendsQueries = !isAxiosFrom(1, 0) || isAxiosFrom(1, 1);
const withQueries: [string, AxiosRequestConfig][] = [
  ['params that are URLSearchParams', { params: new URLSearchParams('a=x y&a=[1]') }],
  ['params and a query of its own', { url: '/x?own=%5b1%5d#fragment', params: { a: 1 } }],
];

const cases: [string, AxiosRequestConfig][] = [
  ['a JSON object', { method: 'post', data: order }],
  ['a JSON array', { method: 'put', data: [order, 'two', 3] }],
  [
    'an object of a class',
    {
      method: 'patch',
      data: new (class Order {
        readonly id = 1;
      })(),
    },
  ],
  ['a text', { method: 'post', data: '<a>ü</a>', headers: xml }],
  ['a text of no declared type', { method: 'post', data: 'a=1' }],
  ['an empty text', { method: 'post', data: '', headers: xml }],
  ['a text to be JSON', { method: 'post', data: 'smörgås', headers: json }],
  ['a text that is JSON', { method: 'post', data: ' {"a": 1} ', headers: json }],
  ['a JSON text that is a text', { method: 'post', data: '"twice"', headers: json }],
  ['a number', { method: 'post', data: 5, headers: json }],
  ['true', { method: 'post', data: true, headers: json }],
  ['null as JSON', { method: 'post', data: null, headers: json }],
  ['null', { method: 'post', data: null }],
  ['an object as a form', { method: 'post', data: { a: 'x y', list: [1, 2] }, headers: form }],
  [
    'URLSearchParams',
    {
      method: 'post',
      data: new URLSearchParams([
        ['a', 'x y'],
        ['a', 'ü'],
      ]),
    },
  ],
  ['no data', { method: 'post' }],
  ['no data, but a type', { method: 'post', headers: json }],
  ['no data to delete', { method: 'delete' }],
  ['data to delete', { method: 'delete', data: { a: 1 } }],
  ['params of all kinds', { method: 'get', params: filter }],
  ['params beside data', { method: 'post', params: filter, data: order }],
  ['an Idempotency-Key', { method: 'post', data: order, headers: { 'Idempotency-Key': 'k-1' } }],
  ['an Accept of its own', { method: 'get', headers: { Accept: 'text/csv' } }],
  ['a path that is to be escaped', { method: 'get', url: '/a b/%7e/(x)' }],
  ...(sendsQueries ? withQueries : []),
];

/** All that a server can tell two requests by. */
function toBytes({ method, url, body, headers }: SeenRequest) {
  const { accept, 'content-type': type, 'content-length': length } = headers;
  return { method, url, body, accept, type, length, key: headers['idempotency-key'] };
}

describe('a request that was queued', () => {
  expectQuietProcess();
  let queue: QueuedRequest[];
  let rig: Rig;
  afterEach(() => rig.stop());

  async function start(options: CircuitBreakerOptions = {}, config: AxiosRequestConfig = {}) {
    queue = [];
    // By way of JSON, as through a queue that is elsewhere.
    const add = (request: QueuedRequest) =>
      queue.push(JSON.parse(JSON.stringify(request)) as never);
    rig = await startRig({ fallback: queueForRetry(add), ...options }, config as never);
    return rig;
  }

  async function replayAll(client: AxiosInstance) {
    for (const request of queue.splice(0)) await client.request(request);
  }

  const seen = () => rig.server.requests().map(toBytes);

  it.each(cases)('is what it was, to the byte, when it is sent: %s', async (_title, config) => {
    const { server, client, breaker } = await start();
    for (const path of ['/x', '/a%20b/%7e/(x)']) server.script(path, [200]);
    await client.request({ url: '/x', ...config });
    breaker.open();
    expect(await client.request({ url: '/x', ...config })).toMatchObject({
      status: 202,
      data: { id: 1 },
      fallback: 'queue',
    });
    expect(server.hits()).toBe(1);

    breaker.close();
    await replayAll(client);
    const [first, second, ...others] = seen();
    expect(second).toEqual(first);
    expect(others).toEqual([]);
  });

  it('is a form of the same parts where it was to be one of several', async () => {
    const { client, breaker, server } = await start();
    server.script('/x', [200]);
    const headers = { 'Content-Type': 'multipart/form-data' };
    const post = () => client.post('/x', { a: 'x y', b: 'ü' }, { headers });
    await post();
    breaker.open();
    await post();
    breaker.close();
    await replayAll(client);
    const [first, second] = server.requests().map(({ body, headers: { 'content-type': type } }) => {
      const [, boundary = ''] = /boundary=(\S+)/.exec(type ?? '') ?? [];
      return body.replaceAll(boundary, 'boundary');
    });
    expect(second).toContain('name="b"');
    expect(second).toBe(first);
  });

  it.each(senders)('is encoded once, though it failed, by $sender', async ({ config: sender }) => {
    const { server, client, breaker } = await start({ fallbackOn: 'failure' }, sender);
    server.script('/x', [503, 200]);
    expect((await client.put('/x', order)).status).toBe(202);
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 1, failure: 1 });
    await replayAll(client);
    const [first, second] = seen();
    expect(second).toEqual(first);
    expect(JSON.parse(second?.body ?? '')).toMatchObject({ id: 7 });
  });

  it('is none where it failed and its method says that it may have been heard', async () => {
    const { server, client } = await start({ fallbackOn: 'failure' });
    server.script('/x', [503]);
    expect((await outcome(client.post('/x', order))).error).toMatchObject({
      response: { status: 503 },
    });
    expect(queue).toEqual([]);
  });

  it('meets its own client as any request: its token is put on anew, its refusal is told', async () => {
    const { server, client, breaker } = await start();
    let token = 'first';
    client.interceptors.request.use((config) => {
      Reflect.set(config.headers, 'Authorization', token);
      return config;
    });
    breaker.open();
    await client.post('/x', order);
    expect(JSON.stringify(queue)).not.toContain('first');

    const [request] = queue.splice(0) as [QueuedRequest];
    const replay = () => client.request({ ...request, circuitBreaker: { fallback: false } });
    expect(isBreakerOpenError((await outcome(replay())).error)).toBe(true);
    expect(queue).toEqual([]);

    breaker.close();
    server.script('/x', [200]);
    token = 'second';
    await replay();
    expect(server.requests().map(({ headers }) => headers.authorization)).toEqual(['second']);
  });

  it('is not changed twice by an interceptor of before the breaker, which acts after it', async () => {
    queue = [];
    const fallback = queueForRetry((request) => queue.push(request));
    const wrap = ({ interceptors }: AxiosInstance) =>
      interceptors.request.use((config) => ({
        ...config,
        data: { wrapped: config.data as unknown },
      }));
    rig = await startRigBeside('before', wrap, { fallback });
    const { server, client, breaker } = rig;
    server.script('/x', [200]);
    await client.post('/x', order);
    breaker.open();
    await client.post('/x', order);
    expect(queue).toMatchObject([{ data: { id: 7 } }]);
    breaker.close();
    await replayAll(client);
    const [first, second] = seen();
    expect(second).toEqual(first);
    expect(first?.body).toContain('{"wrapped":{"id":7');
  });

  it('has nothing of auth, or of the userinfo of the base URL', async () => {
    const { server, client, breaker } = await start();
    const auth = { username: 'me', password: 'hunter2' };
    server.script('/x', [200]);
    breaker.open();
    await client.get('/x', { auth });
    await client.get('/x', { baseURL: server.url.replace('//', '//me:hunter2@') });
    expect(queue).toStrictEqual(
      [1, 2].map(() => ({
        method: 'GET',
        url: `${server.url}/x`,
        headers: { accept: 'application/json, text/plain, */*' },
      })),
    );
    breaker.close();
    await client.get('/x', { auth });
    await replayAll(client);
    expect(server.requests().map(({ headers }) => 'authorization' in headers)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each([
    ['a Buffer', 'Buffer', () => Buffer.from('x')],
    ['an ArrayBuffer', 'ArrayBuffer', () => new ArrayBuffer(1)],
    ['a Blob', 'Blob', () => new Blob(['x'])],
    ['a FormData', 'FormData', () => new FormData()],
    ['a stream', 'Readable', () => Readable.from(['x'])],
  ])('cannot be %s: the caller is told so, and by what it was refused', async (_t, name, make) => {
    const { client, breaker } = await start();
    breaker.open();
    const data = make();
    const { error } = await outcome(client.post('/x', data));
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({
      message: `Expected \`data\` to be plain data, got an object of the class ${name}`,
      cause: { name: 'BreakerOpenError' },
    });
    expect(queue).toEqual([]);
  });
});

describeIf(sendsConfigsAgain)('a request that a retry plugin has sent before it was queued', () => {
  expectQuietProcess();

  it.each(cases)('is what it was, to the byte: %s', async (_title, config) => {
    const queue: QueuedRequest[] = [];
    const server = await startServer();
    const client = axios.create({ baseURL: server.url });
    axiosRetry(client, { retries: 2, retryDelay: () => 1, retryCondition: () => true });
    const fallback = queueForRetry((request) => queue.push(request));
    const rig = attachRig(server, client, { consecutiveFailures: 1, fallback });
    for (const path of ['/x', '/a%20b/%7e/(x)']) server.script(path, [503, 200]);

    expect((await client.request({ url: '/x', ...config })).status).toBe(202);
    expect([server.hits(), queue.length]).toEqual([1, 1]);
    rig.breaker.close();
    for (const request of queue) await client.request(request);
    const [first, second] = server.requests().map(toBytes);
    expect(second).toEqual(first);
    await rig.stop();
  });
});

// Before that axios knows no allowAbsoluteUrls.
describeIf(isAxiosFrom(1, 8))('a client that takes no absolute URLs', () => {
  it('replays a description where that is allowed for it', async () => {
    const queue: QueuedRequest[] = [];
    const fallback = queueForRetry((request) => queue.push(request));
    const rig = await startRig({ fallback }, { allowAbsoluteUrls: false });
    const { server, client, breaker } = rig;
    server.script('/https://b.example/x', [200]);
    breaker.open();
    await client.get('https://b.example/x');
    breaker.close();
    const [request] = queue as [QueuedRequest];
    expect(request.url).toBe(`${server.url}/https://b.example/x`);
    await client.request({ ...request, allowAbsoluteUrls: true });
    expect(server.hits('/https://b.example/x')).toBe(1);
    await rig.stop();
  });
});
