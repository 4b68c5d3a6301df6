import fc from 'fast-check';
import { readStoredRequest } from '../../src/bullmq/stored-request.js';
import { Targets } from '../../src/bullmq/targets.js';
import { queuedRequest } from '../../src/fallback/queued-request.js';

const rules = {
  targets: new Targets('https://api.example.com', []),
  headers: new Set(['accept', 'content-type', 'idempotency-key', 'x-tenant']),
};
const read = (stored: unknown) => readStoredRequest(stored, rules);

const stored = {
  method: 'POST',
  url: 'https://api.example.com/orders',
  params: { page: 2 },
  data: { id: 7, items: [{ name: 'smörgås' }] },
  headers: { 'content-type': 'application/json', 'idempotency-key': 'k-1', 'x-tenant': 'acme' },
};

describe('a stored request', () => {
  it('is read as it was kept', () => {
    expect(read(stored)).toStrictEqual(stored);
  });

  it.each([null, 0, '', false, 'text', [], [{}]])('may have %j for data', (data) => {
    expect(read({ ...stored, data })).toStrictEqual({ ...stored, data });
  });

  it('has neither params nor data where none were kept', () => {
    const { method, url, headers } = stored;
    expect(read({ method, url, headers })).toStrictEqual({ method, url, headers });
  });

  it('sets nothing of a config but what a description has', () => {
    const more = { adapter: 'x', baseURL: 'https://evil.example', proxy: { host: 'evil.example' } };
    expect(read({ ...stored, ...more, auth: {}, socketPath: '/x' })).toStrictEqual(stored);
  });

  it.each([
    ['nothing', undefined, 'It holds no request'],
    ['a text', 'POST', 'It holds no request'],
    ['a list', [stored], 'It holds no request'],
    ['no method', { ...stored, method: undefined }, 'Its `method` is none'],
    ['a method in lower case', { ...stored, method: 'post' }, 'Its `method` is none'],
    ['two methods', { ...stored, method: 'GET / HTTP/1.1\r\nX: y' }, 'Its `method` is none'],
    ['a list of methods', { ...stored, method: ['POST'] }, 'Its `method` is none'],
    ['CONNECT', { ...stored, method: 'CONNECT' }, 'Its `method` is none'],
    ['another origin', { ...stored, url: 'https://evil.example' }, 'none that is allowed'],
    ['params as text', { ...stored, params: 'a=1' }, 'Its `params` are no object'],
    ['params that are null', { ...stored, params: null }, 'Its `params` are no object'],
    ['no headers', { ...stored, headers: undefined }, 'Its `headers` are no object'],
    ['a list of headers', { ...stored, headers: [['a', 'b']] }, 'Its `headers` are no object'],
  ])('cannot have %s', (_title, given, message) => {
    expect(() => read(given)).toThrow(message);
  });

  it.each([
    'authorization',
    'cookie',
    'host',
    'transfer-encoding',
    'proxy-authorization',
    'Accept',
  ])('sets no header that is not named: %s', (name) => {
    const headers = { ...stored.headers, [name]: 'hunter2' };
    expect(() => read({ ...stored, headers })).toThrow(
      new Error('It has a header that `headers` does not name'),
    );
  });

  it.each(['a\r\nhost: evil.example', 'a\nb', 'a\u0000', '\u007f', 'ā', 7, null, ['a'], {}])(
    'has only text of one line in its headers, not %j',
    (value) => {
      const headers = { ...stored.headers, 'x-tenant': value };
      expect(() => read({ ...stored, headers })).toThrow(
        new Error('Its header x-tenant has no value for a header'),
      );
    },
  );

  it.each([{}, { 'idempotency-key': '' }])('has an Idempotency-Key, not %j', (headers) => {
    expect(() => read({ ...stored, headers })).toThrow(new Error('It has no Idempotency-Key'));
  });

  it.each([
    '{"data":{"__proto__":{"admin":true}}}',
    '{"data":[[{"a":{"__proto__":1}}]]}',
    '{"params":{"__proto__":{"toString":1}}}',
  ])('replaces no prototype: %s', (json) => {
    expect(() => read({ ...stored, ...(JSON.parse(json) as object) })).toThrow(
      new Error('It has a key named __proto__'),
    );
    const headers = { ...stored.headers, ...(JSON.parse('{"x":1}') as object) };
    Object.defineProperty(headers, '__proto__', { value: {}, enumerable: true });
    expect(() => read({ ...stored, headers })).toThrow('does not name');
  });

  it('is read from its own fields, whatever a prototype adds', () => {
    const polluted = Object.prototype as { data?: unknown };
    polluted.data = 'planted';
    try {
      const { method, url, headers } = stored;
      expect(read({ method, url, headers })).toStrictEqual({ method, url, headers });
    } finally {
      delete polluted.data;
    }
  });

  it('is refused with an error where it is nested too deep', () => {
    const data: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(() => read({ ...stored, data })).toThrow();
  });

  it('is whatever queueForRetry makes, once it has a key', () => {
    const text = fc.string({ unit: 'grapheme' });
    const path = fc.webPath().map((one) => `/${one.replace(/^\/+/, '')}`);
    fc.assert(
      fc.property(fc.jsonValue(), path, fc.dictionary(text, text), (data, url, params) => {
        const config = { baseURL: 'https://api.example.com', url, method: 'put', params };
        const made = queuedRequest(config, data, new Set());
        const kept: unknown = JSON.parse(
          JSON.stringify({ ...made, headers: { 'idempotency-key': 'k' } }),
        );
        fc.pre(!JSON.stringify(kept).includes('__proto__'));
        expect(read(kept)).toEqual(kept);
      }),
    );
  });

  it('is refused with an error, or is a request to an allowed origin, whatever Redis holds', () => {
    const any = fc.anything();
    const fields = fc.record(
      { method: any, url: fc.oneof(any, fc.webUrl()), params: any, data: any, headers: any },
      { requiredKeys: [] },
    );
    const whereTo = (given: unknown) => {
      try {
        return new URL(read(given).url).origin;
      } catch (error) {
        return error;
      }
    };
    fc.assert(
      fc.property(fc.oneof(any, fields), (given) => {
        const origin = whereTo(given);
        expect(origin === 'https://api.example.com' || origin instanceof Error).toBe(true);
      }),
    );
  });
});
