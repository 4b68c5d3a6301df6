import axios, { AxiosHeaders } from 'axios';
import { headerFields } from '../../../src/http/server-wait/header-fields.js';

const entries = (headers: unknown) => Object.fromEntries(headerFields(headers));

describe('header fields', () => {
  it.each<[string, unknown]>([
    ['an object in any case', { 'RETRY-After': '5' }],
    ['AxiosHeaders', new AxiosHeaders({ 'Retry-After': '5' })],
    ['AxiosHeaders made of text', AxiosHeaders.from('Retry-After: 5')],
    ['an object without prototype', Object.assign(Object.create(null), { 'retry-after': '5' })],
    ['a number', { 'retry-after': 5 }],
    ['a list', { 'Retry-After': ['5'] }],
    ['the Headers of fetch', new Headers({ 'Retry-After': '5' })],
    ['a Map', new Map([['Retry-After', '5']])],
    ['a frozen object', Object.freeze({ 'retry-after': '5' })],
  ])('are read of %s', (_title, headers) => {
    expect(entries(headers)).toEqual({ 'retry-after': ['5'] });
  });

  it('are those that an axios adapter hands over', async () => {
    const adapter = () =>
      Promise.resolve({ status: 200, headers: { 'Retry-After': '5' }, data: '' } as never);
    const { headers } = await axios.get('/', { adapter });
    expect(entries(headers)).toMatchObject({ 'retry-after': ['5'] });
  });

  it('keep every line, also of names that differ in case alone', () => {
    expect(entries({ a: ['1', '2'] })).toEqual({ a: ['1', '2'] });
    expect(entries({ 'Retry-After': '5', 'retry-after': ['10', 7] })).toEqual({
      'retry-after': ['5', '10', '7'],
    });
    const headers = new Headers([
      ['a', '1'],
      ['A', '2'],
    ]);
    expect(entries(headers)).toEqual({ a: ['1, 2'] });
  });

  it('keep empty lines', () => {
    expect(entries({ a: '', b: [''] })).toEqual({ a: [''], b: [''] });
  });

  it.each([undefined, null, 'retry-after: 5', 5, true, () => undefined, Symbol('headers')])(
    'are none of %p',
    (headers) => {
      expect(entries(headers)).toEqual({});
    },
  );

  it('leave out whatever is no text or number', () => {
    const headers = { a: null, b: undefined, c: false, d: {}, e: [], f: [null, ['5']], g: 5n };
    expect(entries(headers)).toEqual({});
    expect(entries({ a: [null, '5', {}] })).toEqual({ a: ['5'] });
  });

  it('have names that are text', () => {
    const headers = new Map<unknown, unknown>([
      [5, '1'],
      [Object.create(null), '2'],
      ['a', '3'],
    ]);
    expect(entries(headers)).toEqual({ a: ['3'] });
    expect(entries(['1', '2'])).toEqual({});
  });

  it('are not read of a prototype', () => {
    expect(entries(Object.create({ 'retry-after': '5' }))).toEqual({});
  });

  it('cannot be confused by names of Object', () => {
    const headers = JSON.parse('{"__proto__": "1", "constructor": "2", "entries": "3"}') as object;
    expect([...headerFields(headers)]).toEqual([
      ['__proto__', ['1']],
      ['constructor', ['2']],
      ['entries', ['3']],
    ]);
  });

  it('leave out lines of more than 8192 characters, and the 101st of a name', () => {
    expect(entries({ a: 'x'.repeat(8_192), b: 'x'.repeat(8_193) })).toEqual({
      a: ['x'.repeat(8_192)],
    });
    expect(headerFields({ a: Array.from({ length: 101 }, () => '5') }).get('a')).toHaveLength(100);
  });
});
