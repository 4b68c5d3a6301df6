import { AxiosHeaders } from 'axios';
import { headerLines } from '../../src/stale/header-lines.js';

const read = (headers: unknown) => [...headerLines(headers)];

describe('the lines of headers', () => {
  it.each([
    ['a plain object', { Cookie: 'a=1', 'X-Number': 7 }],
    [
      'an object without a prototype',
      Object.assign(Object.create(null), { Cookie: 'a=1', 'x-number': 7 }),
    ],
    ['AxiosHeaders', new AxiosHeaders({ COOKIE: 'a=1', 'X-Number': '7' })],
    ['Headers', new Headers({ Cookie: 'a=1', 'X-Number': '7' })],
    [
      'a Map',
      new Map<string, unknown>([
        ['cookie', 'a=1'],
        ['X-NUMBER', 7],
      ]),
    ],
    ['headers whose defaults are elsewhere', { toJSON: () => ({ Cookie: 'a=1', 'X-Number': 7 }) }],
  ])('are read from %s', (_title, headers) => {
    expect(read(headers)).toEqual([
      ['cookie', ['a=1']],
      ['x-number', ['7']],
    ]);
  });

  it('are all there, in their order, where names differ by case only', () => {
    const { cookie, Cookie } = { Cookie: ['b', ' c '], cookie: 'a' };
    expect(read({ cookie, Cookie })).toEqual([['cookie', ['a', 'b', 'c']]]);
    expect(read({ Cookie, cookie })).toEqual([['cookie', ['b', 'c', 'a']]]);
  });

  it('leave out what is not sent', () => {
    expect(read({ a: null, b: undefined, c: false, d: '', e: 0 })).toEqual([
      ['d', ['']],
      ['e', ['0']],
    ]);
  });

  it.each([undefined, null, 7])('are none where there are no headers: %p', (headers) => {
    expect(read(headers)).toEqual([]);
  });
});
