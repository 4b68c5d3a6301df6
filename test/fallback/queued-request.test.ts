import { AxiosHeaders, type AxiosRequestConfig } from 'axios';
import { queuedRequest } from '../../src/fallback/queued-request.js';

const secret = 'hunter2';
const names = new Set(['accept', 'content-type', 'idempotency-key', 'x-tenant']);
const describeRequest = (config: AxiosRequestConfig, data?: unknown) =>
  queuedRequest(config, data, names);

describe('the description of a request', () => {
  it('says where it goes, with what, and nothing that is not there', () => {
    expect(describeRequest({ url: '/x', baseURL: 'https://a.example/v1' })).toStrictEqual({
      method: 'GET',
      url: 'https://a.example/v1/x',
      headers: {},
    });
    expect(
      describeRequest({ method: 'post', url: '/x', params: { page: 2 } }, { a: 1 }),
    ).toStrictEqual({
      method: 'POST',
      url: '/x',
      params: { page: 2 },
      data: { a: 1 },
      headers: {},
    });
  });

  it('holds no credentials, cookies, or anything else of the config', () => {
    const description = describeRequest(
      {
        url: `https://me:${secret}@a.example/x#${secret}`,
        auth: { username: 'me', password: secret },
        withCredentials: true,
        timeout: 1_000,
        headers: new AxiosHeaders({
          Authorization: `Bearer ${secret}`,
          Cookie: `session=${secret}`,
          'Proxy-Authorization': secret,
          'X-Api-Key': secret,
          Accept: '*/*',
        }),
        data: secret,
      },
      { a: 1 },
    );
    expect(description).toStrictEqual({
      method: 'GET',
      url: 'https://a.example/x',
      data: { a: 1 },
      headers: { accept: '*/*' },
    });
  });

  const at = new Date('2026-12-01T10:00:00Z');

  it.each<[string, AxiosRequestConfig, unknown]>([
    ['nothing', {}, undefined],
    ['dates', { params: { at, list: [at] } }, { at, nested: [{ at }] }],
    ['what is undefined', { params: { none: undefined } }, { none: undefined, list: [undefined] }],
    ['-0', {}, -0],
    ['NaN as data', {}, NaN],
    ['URLSearchParams', { params: new URLSearchParams('a=1') }, new URLSearchParams('b=2')],
    ['headers of all kinds', { headers: { Accept: 7, 'X-Tenant': ['a', 'b'] } }, null],
  ])('is left as it is by JSON: %s', (_title, config, data) => {
    const description = describeRequest({ url: '/x', ...config }, data);
    expect(JSON.parse(JSON.stringify(description))).toStrictEqual(description);
  });
});

describe('the params of a description', () => {
  it('are what they were', () => {
    const params = { ids: [1, 2], filter: { name: 'x', since: new Date(0) }, none: null };
    expect(describeRequest({ url: '/x', params }).params).toStrictEqual({
      ids: [1, 2],
      filter: { name: 'x', since: '1970-01-01T00:00:00.000Z' },
      none: null,
    });
  });

  it.each([
    ['/x', 'a=1&b=%20', '/x?a=1&b=+'],
    ['/x?z=0#y', 'a=1', '/x?z=0&a=1'],
    ['/x', '', '/x'],
  ])('are part of the URL where they are URLSearchParams: %s with %s', (url, query, whole) => {
    const description = describeRequest({ url, params: new URLSearchParams(query) });
    expect(description).toStrictEqual({ method: 'GET', url: whole, headers: {} });
  });

  it.each([[null], [undefined]])('are absent where they are %p', (params) => {
    expect(describeRequest({ url: '/x', params })).not.toHaveProperty('params');
  });

  it('must be plain, or the query would be another', () => {
    expect(() => describeRequest({ url: '/x', params: { page: NaN } })).toThrow(
      new TypeError('Expected `params` to be plain data, got NaN at page'),
    );
  });
});

describe('the data of a description', () => {
  it.each([['<a/>'], [''], [5], [false], [null], [{ a: [1] }], [[1, 2]]])(
    'is what the caller gave, not what axios made of it: %j',
    (data) => {
      expect(describeRequest({ url: '/x', data: 'encoded' }, data).data).toEqual(data);
    },
  );

  it('is text where it was URLSearchParams', () => {
    expect(describeRequest({ url: '/x' }, new URLSearchParams({ a: 'x y' })).data).toBe('a=x+y');
  });

  it.each(['application/json', 'text/xml'])('is what JSON makes of it: %s', (type) => {
    const headers = { 'Content-Type': type };
    expect(describeRequest({ url: '/x', headers }, { total: NaN }).data).toEqual({ total: null });
  });

  it.each([
    'application/x-www-form-urlencoded',
    'Application/X-WWW-Form-URLEncoded; charset=utf-8',
    'multipart/form-data',
  ])('must be plain where it becomes a form: %s', (type) => {
    const headers = { 'Content-Type': type };
    expect(describeRequest({ url: '/x', headers }, { total: 1 }).data).toEqual({ total: 1 });
    expect(() => describeRequest({ url: '/x', headers }, { total: NaN })).toThrow(
      new TypeError('Expected `data` to be plain data, got NaN at total'),
    );
  });

  it('is an error where JSON cannot carry it', () => {
    expect(() => describeRequest({ url: '/x' }, Buffer.from('x'))).toThrow(
      new TypeError('Expected `data` to be plain data, got an object of the class Buffer'),
    );
  });
});

describe('the headers of a description', () => {
  it.each<[string, unknown]>([
    ['AxiosHeaders', new AxiosHeaders({ ACCEPT: 'a/b', 'X-Tenant': 'acme', 'X-Other': 'x' })],
    ['a plain object', { ACCEPT: 'a/b', 'X-Tenant': 'acme', 'X-Other': 'x' }],
  ])('are those that were asked for, with names in lower case: %s', (_title, headers) => {
    expect(describeRequest({ url: '/x', headers: headers as never }).headers).toStrictEqual({
      accept: 'a/b',
      'x-tenant': 'acme',
    });
  });

  it('are text, and only those that are set', () => {
    const headers = {
      Accept: false,
      'Content-Type': undefined,
      'Idempotency-Key': 7,
      'X-Tenant': ['a', 'b'],
    };
    expect(describeRequest({ url: '/x', headers: headers as never }).headers).toStrictEqual({
      'idempotency-key': '7',
      'x-tenant': 'a, b',
    });
    expect(describeRequest({ url: '/x', headers: { Accept: null } }).headers).toEqual({});
  });

  it('are none where the config has none', () => {
    expect(describeRequest({ url: '/x' }).headers).toStrictEqual({});
  });
});
