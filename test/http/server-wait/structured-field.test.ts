import fc from 'fast-check';
import * as reference from 'structured-headers';
import { parseDictionary, parseList } from '../../../src/http/server-wait/structured-field.js';

const numRuns = Number(process.env['PROPERTY_RUNS'] ?? 2_000);

/** What both parsers can be compared by. */
interface Read {
  readonly value: number | undefined;
  readonly parameters: Readonly<Record<string, number | undefined>>;
}
type Member = ReturnType<typeof reference.parseList>[number];

const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
const asRead = ([value, parameters]: Member): Read => ({
  value: asNumber(value),
  parameters: Object.fromEntries([...parameters].map(([key, bare]) => [key, asNumber(bare)])),
});

function orUndefined<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch (error) {
    if (error instanceof reference.ParseError) return undefined;
    throw error;
  }
}

const ours = {
  list: (text: string) =>
    parseList(text)?.map(({ value, parameters }) => ({
      value,
      parameters: Object.fromEntries(parameters),
    })),
  dictionary: (text: string) => {
    const members = parseDictionary(text);
    if (members === undefined) return undefined;
    return [...members].map(([key, { value, parameters }]) => {
      return [key, { value, parameters: Object.fromEntries(parameters) }];
    });
  },
};

const theirs = {
  list: (text: string) => orUndefined(() => reference.parseList(text).map(asRead)),
  dictionary: (text: string) =>
    orUndefined(() =>
      [...reference.parseDictionary(text)].map(([key, member]) => [key, asRead(member)]),
    ),
};

function expectSameAsReference(text: string): void {
  expect(ours.list(text)).toEqual(theirs.list(text));
  expect(ours.dictionary(text)).toEqual(theirs.dictionary(text));
}

describe('a list', () => {
  const only = (parameters: Record<string, number | undefined>) => [
    { value: undefined, parameters },
  ];

  it.each([
    ['a string with parameters', '"default";r=0;t=5', only({ r: 0, t: 5 })],
    ['a token', 'default;r=0;t=5', only({ r: 0, t: 5 })],
    ['spaces where they may be', '  "default"; r=0;  t=5 \t', only({ r: 0, t: 5 })],
    ['a byte sequence', '"x";pk=:dHJpYWw=:;r=1', only({ pk: undefined, r: 1 })],
    ['a byte sequence without padding', '"x";pk=:dHJpYWw:;r=1', only({ pk: undefined, r: 1 })],
    [
      'a byte sequence of one byte without padding',
      '"x";pk=:dA:;r=1',
      only({ pk: undefined, r: 1 }),
    ],
    ['booleans', '"x";a=?1;b=?0;c;r=1', only({ a: undefined, b: undefined, c: undefined, r: 1 })],
    ['a date', '"x";r=1;a=@1796040000', only({ r: 1, a: undefined })],
    ['a display string', '"x";a=%"f%c3%bc 5";r=1', only({ a: undefined, r: 1 })],
    ['what looks like parameters in a string', '"a;t=99\\"";r=1', only({ r: 1 })],
    ['the last of the same parameters', '"x";r=5;r=0', only({ r: 0 })],
    ['a decimal', '"x";t=1.5', only({ t: 1.5 })],
    ['a negative number', '"x";r=-1', only({ r: -1 })],
    ['an inner list', '("a" b;c=1);r=0', only({ r: 0 })],
    ['an empty inner list', '( );r=0', only({ r: 0 })],
    ['nothing', '', []],
    ['spaces', '   ', []],
  ])('is read with %s', (_title, text, members) => {
    expect(ours.list(text)).toEqual(members);
    expectSameAsReference(text);
  });

  it('is read with a date before other parameters', () => {
    expect(ours.list('"x";a=@-1796040000;r=1, @5')).toEqual([
      { value: undefined, parameters: { a: undefined, r: 1 } },
      { value: undefined, parameters: {} },
    ]);
  });

  it('has members in their order', () => {
    const text = '"perday";r=0;t=3600,\t"permin";r=1;t=12 , 7';
    expect(ours.list(text)).toEqual([
      { value: undefined, parameters: { r: 0, t: 3_600 } },
      { value: undefined, parameters: { r: 1, t: 12 } },
      { value: 7, parameters: {} },
    ]);
    expectSameAsReference(text);
  });

  it.each([
    ['a comma at the end', '"x";r=0,'],
    ['a comma and spaces at the end', '"x";r=0, '],
    ['a comma at the start', ',"x"'],
    ['two commas', '"x",,"y"'],
    ['a tab at the start', '\t"x"'],
    ['an open string', '"x;r=0'],
    ['a line break in a string', '"a\nb"'],
    ['letters with accents in a string', '"ä"'],
    ['an escape that there is not', '"a\\n"'],
    ['an escape at the end', '"a\\'],
    ['a parameter in capitals', '"x";R=0'],
    ['a parameter without a name', '"x";=0'],
    ['a parameter without a value', '"x";r='],
    ['a space before a parameter', '"x" ;r=0'],
    ['a space around the equals sign', '"x";r =0'],
    ['two items without a comma', '"x" "y"'],
    ['a dictionary', 'limit=10, remaining=0'],
    ['an integer of 16 digits', '"x";t=1234567890123456'],
    ['a decimal with 4 digits behind the point', '"x";t=1.2345'],
    ['a decimal with 13 digits before the point', '"x";t=1234567890123.1'],
    ['a decimal that ends with the point', '"x";t=1.'],
    ['a number with two points', '"x";t=1.2.3'],
    ['a plus sign', '"x";t=+5'],
    ['a minus alone', '"x";t=-'],
    ['an exponent', '"x";t=1e3;'],
    ['a boolean that there is not', '"x";a=?2'],
    ['an open byte sequence', '"x";a=:dHJ'],
    ['a byte sequence of one character', '"x";a=:d:'],
    ['a byte sequence with padding in its middle', '"x";a=:dH=yaQ==:'],
    ['a byte sequence with too much padding', '"x";a=:dHJp=:'],
    ['a byte sequence with too little padding', '"x";a=:dA=:'],
    ['a date with a fraction', '"x";a=@1.5'],
    ['a date without a number', '"x";a=@'],
    ['an escape in capitals', '"x";a=%"%C3"'],
    ['escapes that are not UTF-8', '"x";a=%"%ff"'],
    ['half a character', '"x";a=%"%c3"'],
    ['an open display string', '"x";a=%"f'],
    ['a per cent alone', '"x";a=%'],
    ['an open inner list', '("a" "b"'],
    ['an inner list that ends with an item', '("a'],
    ['an inner list without spaces', '("a""b")'],
    ['an inner list of what is none', '("a"=1)'],
    ['an inner list with commas', '("a","b")'],
    ['an inner list in an inner list', '(("a"))'],
  ])('is not read with %s', (_title, text) => {
    expect(ours.list(text)).toBeUndefined();
    expectSameAsReference(text);
  });
});

describe('a dictionary', () => {
  it('is read with flags, inner lists and parameters', () => {
    const text = 'limit=100;w=60, remaining=0,\treset=33, a;b=1, c=(1 2);d=2, remaining=4';
    expect(ours.dictionary(text)).toEqual([
      ['limit', { value: 100, parameters: { w: 60 } }],
      ['remaining', { value: 4, parameters: {} }],
      ['reset', { value: 33, parameters: {} }],
      ['a', { value: undefined, parameters: { b: 1 } }],
      ['c', { value: undefined, parameters: { d: 2 } }],
    ]);
    expectSameAsReference(text);
  });

  it.each(['limit=100,', 'Limit=100', 'limit:100', 'limit=', '=100', '"limit"=100', '1=2'])(
    'is not read of %j',
    (text) => {
      expect(ours.dictionary(text)).toBeUndefined();
      expectSameAsReference(text);
    },
  );
});

describe('any field', () => {
  const integer = fc.oneof(
    fc.integer({ min: 0, max: 100 }),
    fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 }),
  );
  const token = fc.stringMatching(/^[A-Za-z*][\w!#$%&'*+.^`|~:/-]{0,8}$/);
  const printable = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(asCharacter) });
  const bare = fc.oneof(
    { weight: 4, arbitrary: integer },
    fc.integer({ min: -999_999, max: 999_999 }).map((number) => number / 100),
    printable,
    token.map((text) => new reference.Token(text)),
    fc.boolean(),
    fc.uint8Array({ maxLength: 8 }).map(({ buffer }) => buffer),
    fc.string({ unit: 'grapheme' }).map((text) => new reference.DisplayString(text)),
  );
  const key = fc.oneof(
    fc.constantFrom('r', 't', 'q', 'w', 'pk'),
    fc.stringMatching(/^[a-z*][a-z\d_.*-]{0,5}$/),
  );
  const parameters = fc.array(fc.tuple(key, bare), { maxLength: 4 }).map((all) => new Map(all));
  const item = fc.tuple(bare, parameters);
  const member = fc.oneof(
    { weight: 4, arbitrary: item },
    fc.tuple(fc.array(item, { maxLength: 3 }), parameters),
  );
  const list = fc.array(member, { maxLength: 4 }).map((members) => {
    return reference.serializeList(members);
  });
  const dictionary = fc
    .array(fc.tuple(fc.oneof(fc.constantFrom('limit', 'remaining', 'reset'), key), member))
    .map((members) => {
      const fields = new Map(members) as Parameters<typeof reference.serializeDictionary>[0];
      return reference.serializeDictionary(fields);
    });
  const wellFormed = fc.oneof(list, dictionary).filter(hasNoDate);
  /** With a character changed, put in or left out. */
  const spoilt = fc
    .tuple(
      wellFormed,
      fc.nat(),
      fc.constantFrom(...Array.from(' \t,;=:?%"\\()-.0aR~\x7f\xe4'), ''),
      fc.nat(1),
    )
    .map(([text, position, character, length]) => {
      const at = position % (text.length + 1);
      return text.slice(0, at) + character + text.slice(at + length);
    });

  it.each([
    ['well-formed ones', wellFormed],
    ['spoilt ones', spoilt],
    ['random characters', fc.string({ unit: fc.nat(0xff).map(asCharacter) }).filter(hasNoDate)],
  ])('is read as the package structured-headers reads it: %s', (_title, texts) => {
    fc.assert(fc.property(texts, expectSameAsReference), { numRuns });
  });

  it('of huge size is read in no time', () => {
    const start = performance.now();
    expect(parseList('('.repeat(1e5))).toBeUndefined();
    expect(parseList(`"${'\\"'.repeat(1e5)}`)).toBeUndefined();
    expect(parseList('a;r=0, '.repeat(1e5) + 'a')).toHaveLength(100_001);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

function asCharacter(code: number): string {
  return String.fromCharCode(code);
}

/** The package reads a date at the very end of a field only. */
function hasNoDate(text: string): boolean {
  return !text.includes('@');
}
