/** A value of a structured field; only numbers are of interest here, all else is skipped over. */
type Bare = number | undefined;

export interface Item {
  /** A number; `undefined` for a value of any other type. */
  readonly value: Bare;
  readonly parameters: ReadonlyMap<string, Bare>;
}

/** A list of RFC 9651, as its members' parameters; `undefined` where it is not well-formed. */
export function parseList(text: string): Item[] | undefined {
  return parse(text, (reader) => reader.member());
}

/** A dictionary of RFC 9651; `undefined` where it is not well-formed. */
export function parseDictionary(text: string): Map<string, Item> | undefined {
  const members = parse(text, (reader) => {
    const key = reader.key();
    return [key, reader.takes('=') ? reader.member() : reader.flag()] as const;
  });
  return members && new Map(members);
}

function parse<Member>(text: string, readMember: (reader: Reader) => Member): Member[] | undefined {
  const reader = new Reader(text);
  const members: Member[] = [];
  try {
    reader.skip(' ');
    while (!reader.isAtEnd()) {
      members.push(readMember(reader));
      reader.skip(' \t');
      if (reader.isAtEnd()) break;
      reader.expect(',');
      reader.skip(' \t');
      if (reader.isAtEnd()) return undefined;
    }
    return members;
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

class Malformed extends Error {}

/** The bare items that need no look inside. */
const others = [
  /"(?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*"/y, // string
  /[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*/y, // token
  /:(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?:/y, // byte sequence
  /\?[01]/y, // boolean
  /@-?\d{1,15}(?![\d.])/y, // date
  /%"(?:[\x20\x21\x23\x24\x26-\x7e]|%[\da-f]{2})*"/y, // display string
];

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skip(characters: string): void {
    while (!this.isAtEnd() && characters.includes(this.#text.charAt(this.#at))) this.#at += 1;
  }

  takes(character: string): boolean {
    if (this.#text.charAt(this.#at) !== character) return false;
    this.#at += 1;
    return true;
  }

  expect(character: string): void {
    if (!this.takes(character)) throw new Malformed();
  }

  key(): string {
    return this.#match(/[a-z*][a-z\d_.*-]*/y) ?? this.#fail();
  }

  member(): Item {
    if (!this.takes('(')) return { value: this.#bare(), parameters: this.#parameters() };
    this.#innerList();
    return this.flag();
  }

  flag(): Item {
    return { value: undefined, parameters: this.#parameters() };
  }

  #innerList(): void {
    for (;;) {
      this.skip(' ');
      if (this.takes(')')) return;
      this.#bare();
      this.#parameters();
      if (!' )'.includes(this.#text.charAt(this.#at)) || this.isAtEnd()) this.#fail();
    }
  }

  #parameters(): Map<string, Bare> {
    const parameters = new Map<string, Bare>();
    while (this.takes(';')) {
      this.skip(' ');
      parameters.set(this.key(), this.takes('=') ? this.#bare() : undefined);
    }
    return parameters;
  }

  #bare(): Bare {
    const number = this.#match(/-?(?:\d{1,12}\.\d{1,3}|\d{1,15})(?![\d.])/y);
    if (number !== undefined) return Number(number);
    for (const form of others) {
      const found = this.#match(form);
      if (found !== undefined) return isWellEncoded(found) ? undefined : this.#fail();
    }
    return this.#fail();
  }

  #match(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(): never {
    throw new Malformed();
  }
}

/** Whether the escapes of a display string are UTF-8. */
function isWellEncoded(item: string): boolean {
  if (!item.startsWith('%')) return true;
  try {
    decodeURIComponent(item.slice(2, -1));
    return true;
  } catch {
    return false;
  }
}
