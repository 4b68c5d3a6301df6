/** Tells values apart as far as they may tell users apart: a form of them for JSON. */
export class Identities {
  readonly #numbers = new WeakMap<object, number>();
  #last = 0;

  /** Plain objects and lists by what they hold, anything else by which object it is. */
  of(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.of(item));
    if (isPlain(value)) return Object.entries(value).map(([name, item]) => [name, this.of(item)]);
    if (isObject(value)) return { object: this.#numberOf(value) };
    return value === undefined ? null : [value];
  }

  #numberOf(object: object): number {
    const number = this.#numbers.get(object) ?? (this.#last += 1);
    this.#numbers.set(object, number);
    return number;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null);
}

/** As axios sees it, which copies such objects for each request. */
function isPlain(value: unknown): value is object {
  if (Object.prototype.toString.call(value) !== '[object Object]') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
