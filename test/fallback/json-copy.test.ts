import { Readable } from 'node:stream';
import vm from 'node:vm';
import axios from 'axios';
import { classOf, jsonCopy } from '../../src/fallback/json-copy.js';

class Order {
  readonly items = [1, 2];
}

class Money {
  toJSON() {
    return '12.50 EUR';
  }
}

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const encodings = ['json', 'form'] as const;

const unfit: [string, unknown][] = [
  ['Buffer', Buffer.from('x')],
  ['Uint8Array', new Uint8Array(1)],
  ['DataView', new DataView(new ArrayBuffer(1))],
  ['ArrayBuffer', new ArrayBuffer(1)],
  ['SharedArrayBuffer', new SharedArrayBuffer(1)],
  ['Blob', new Blob(['x'])],
  ['File', new File(['x'], 'x.txt')],
  ['FormData', new FormData()],
  ['FormData', axios.toFormData({ a: 1 })],
  ['Readable', new Readable()],
  ['ReadableStream', new ReadableStream()],
  ['Map', new Map()],
  ['Set', new Set()],
  ['Promise', Promise.resolve()],
  ['RegExp', /x/],
  ['RangeError', new RangeError('x')],
];

describe.each(encodings)('a copy of what is to become %s', (encoding) => {
  const copy = (value: unknown) => jsonCopy('data', value, encoding);

  it.each([
    ['text'],
    ['{"not":"parsed"}'],
    [''],
    [0],
    [-1.5],
    [true],
    [false],
    [null],
    [undefined],
    [[]],
    [[1, [null, 'two'], { three: 3 }]],
    [{}],
    [{ a: { b: [{ c: null }] } }],
  ])('is the same as %j', (value) => {
    expect(copy(value)).toEqual(value);
  });

  it('shares nothing with it', () => {
    const value = { list: [{ a: 1 }] };
    const copied = copy(value) as typeof value;
    value.list[0] = { a: 2 };
    expect(copied).toEqual({ list: [{ a: 1 }] });
  });

  it('has what JSON makes of dates and of what is undefined', () => {
    const at = new Date('2026-12-01T10:00:00Z');
    expect(copy({ at, none: undefined, list: [undefined] })).toStrictEqual({
      at: '2026-12-01T10:00:00.000Z',
      list: [null],
    });
  });

  it('takes an object of a class for its fields, and one without a prototype', () => {
    expect(copy(new Order())).toStrictEqual({ items: [1, 2] });
    expect(copy(Object.assign(Object.create(null), { a: 1 }))).toStrictEqual({ a: 1 });
  });

  it('takes objects of another realm for what they are', () => {
    const value: unknown = vm.runInNewContext('({ a: [{ at: new Date(0) }] })');
    expect(copy(value)).toStrictEqual({ a: [{ at: '1970-01-01T00:00:00.000Z' }] });
  });

  it.each(unfit)('cannot be had of a %s, nor of one inside', (name, value) => {
    const message = `Expected \`data\` to be plain data, got an object of the class ${name}`;
    expect(() => copy(value)).toThrow(new TypeError(message));
    expect(() => copy({ a: [{ b: value }] })).toThrow(new TypeError(`${message} at b`));
    expect(() => copy([value])).toThrow(new TypeError(`${message} at 0`));
  });

  it('cannot be had of a bigint, a function, a symbol, or a circle', () => {
    expect(() => copy({ total: 10n })).toThrow(/^Expected `data` to be .+, got a bigint at total$/);
    expect(() => copy(10n)).toThrow(TypeError);
    expect(() => copy(() => undefined)).toThrow(/, got a function$/);
    expect(() => copy(Symbol('x'))).toThrow(/, got a symbol$/);
    expect(() => copy(circular)).toThrow(TypeError);
  });
});

describe('what JSON and a form write differently', () => {
  const value = (inside: unknown) => ({ list: [inside] });

  it.each([
    ['an object that has a JSON form', new Money(), '12.50 EUR'],
    ['an object of a class', new Order(), { items: [1, 2] }],
    ['NaN', NaN, null],
    ['a function', () => undefined, null],
    ['a symbol', Symbol('x'), null],
  ])('has a copy as JSON, and none as a form: %s', (_title, inside, made) => {
    expect(jsonCopy('data', value(inside), 'json')).toEqual(value(made));
    expect(() => jsonCopy('params', value(inside), 'form')).toThrow(
      /^Expected `params` to be plain data, got .+ at 0$/,
    );
  });

  it('is the JSON form of the whole, too', () => {
    expect(jsonCopy('data', new Money(), 'json')).toBe('12.50 EUR');
    expect(() => jsonCopy('data', new Money(), 'form')).toThrow(TypeError);
    expect(() => jsonCopy('data', { toJSON: () => undefined }, 'json')).toThrow(TypeError);
  });

  it('leaves a bigint to those who have taught it JSON', () => {
    const prototype = BigInt.prototype as { toJSON?: () => string };
    prototype.toJSON = function (this: bigint) {
      return this.toString();
    };
    try {
      expect(jsonCopy('data', { total: 10n }, 'json')).toEqual({ total: '10' });
    } finally {
      delete prototype.toJSON;
    }
  });
});

describe('classOf', () => {
  it('names built-in objects', () => {
    expect([new URLSearchParams(), [], null, undefined].map(classOf)).toEqual([
      'URLSearchParams',
      'Array',
      'Null',
      'Undefined',
    ]);
  });
});
