import { createHash } from 'node:crypto';

/** How many hashes are remembered: all are needed at each piece of news. */
const mostIds = 10_000;

/** What the circuits of one breaker are called in Redis. Names and keys are hashed: they may tell much. */
export class Names {
  readonly channel: string;
  readonly #base: string;
  readonly #ids = new Map<string, string>();

  constructor(prefix: string, breaker: string) {
    // In braces: a Cluster keeps all of it in one slot.
    this.#base = `${prefix}:{${hash(breaker)}}`;
    this.channel = this.#base;
  }

  /** Of a circuit. */
  id(key: string): string {
    let id = this.#ids.get(key);
    if (id === undefined) {
      if (this.#ids.size >= mostIds) this.#ids.clear();
      this.#ids.set(key, (id = hash(key)));
    }
    return id;
  }

  /** The keys in Redis; `id`: with those of that circuit alone. */
  keys(id?: string): string[] {
    const common = ['meta', 'nodes', 'circuits', 'fleet'].map((part) => `${this.#base}:${part}`);
    if (id === undefined) return common;
    return [...common, `${this.#base}:votes:${id}`, `${this.#base}:leases:${id}`];
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
