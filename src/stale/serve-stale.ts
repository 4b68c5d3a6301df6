import type { AxiosError, AxiosRequestConfig, AxiosResponse } from 'axios';
import { capacity, names, positive, readOptions } from '../checks.js';
import { isRefusal } from '../errors.js';
import type {
  Fallback,
  FallbackAnswer,
  FallbackObserver,
  FallbackRequest,
  ObservedRequest,
} from '../fallback/fallback.js';
import { Answers, type VaryingValues } from './answers.js';
import { AskedReader, type Asked } from './asked.js';
import { keyOf } from './digest.js';
import { ageOf, answerWith, isGone, keep, type Sent } from './kept.js';

/** What `serveStale` keeps, and for how long. */
export interface ServeStaleOptions {
  /**
   * How many answers are kept; the least recently used one goes for a new one. An integer, 1 to
   * 1_000_000.
   * @default 500
   */
  readonly maxEntries?: number | undefined;
  /**
   * How old an answer may be that is served, in ms, since it was asked for, by the breaker's clock, and
   * an `Age` that it came with. More than 0.
   * @default 3_600_000
   */
  readonly maxAge?: number | undefined;
  /**
   * The names of further request headers that carry a credential, beside `Authorization`, `Cookie` and
   * `X-Api-Key`: answers that are `private` are kept under these only.
   * @default []
   */
  readonly credentialHeaders?: readonly string[] | undefined;
  /**
   * The names of request headers that say nothing of who asks, beside `X-Request-Id` and others that the
   * docs list: those that are new for each request, or that something adds below the breaker. All others
   * keep requests apart. A header that carries a credential is never ignored.
   * @default []
   */
  readonly ignoredHeaders?: readonly string[] | undefined;
}

/** The fallback that `serveStale` makes. */
export interface StaleFallback extends Fallback {
  /**
   * Forgets all answers, and keeps none to a request that is under way: to be called when a user signs
   * out whose credentials the breaker cannot see, such as the cookies of a browser.
   */
  clear(): void;
}

const checks = {
  maxEntries: capacity,
  maxAge: positive,
  credentialHeaders: names('a list of header names'),
  ignoredHeaders: names('a list of header names'),
};

class ServeStale implements StaleFallback {
  readonly #reader: AskedReader;
  readonly #answers: Answers;
  readonly #maxAge: number;
  /** As they were asked: an adapter changes the config of a request that it sends. */
  readonly #sent = new WeakMap<AxiosRequestConfig, Asked | undefined>();
  /** Ends when all that was told so far is done; it never rejects. */
  #done: Promise<unknown> = Promise.resolve();

  constructor(options: ServeStaleOptions) {
    const { maxEntries = 500, maxAge = 3_600_000 } = options;
    const { credentialHeaders = [], ignoredHeaders = [] } = options;
    this.#reader = new AskedReader({ credentialHeaders, ignoredHeaders });
    this.#answers = new Answers(maxEntries);
    this.#maxAge = maxAge;
  }

  observe({ config, clock }: ObservedRequest): FallbackObserver | undefined {
    const asked = this.#reader.read(config);
    this.#sent.set(config, asked);
    if (asked === undefined) return undefined;
    const sent = { moment: this.#answers.moment(), at: clock.now(), clock };
    return (response, isTransformed) => {
      if (isGone(response)) this.#drop(asked);
      else if (isTransformed !== false) this.#take(asked, sent, response);
    };
  }

  async answer({ config, error }: FallbackRequest): Promise<FallbackAnswer | undefined> {
    const wasSent = !isRefusal(error) && this.#sent.has(config);
    const asked = wasSent ? this.#sent.get(config) : this.#reader.read(config);
    if (asked === undefined) return undefined;
    if (isGone((error as AxiosError).response ?? error)) {
      this.#drop(asked);
      return undefined;
    }
    const [key] = await Promise.all([keyOf(asked), this.#done]);
    const kept = key === undefined ? undefined : this.#answers.find(key, this.#valuesOf(asked));
    if (kept === undefined) return undefined;
    const age = ageOf(kept);
    return age <= this.#maxAge ? answerWith(kept, age) : undefined;
  }

  clear(): void {
    this.#answers.clear();
  }

  /** Copies at once, before the caller has the answer, and keeps the copy when the key is known. */
  #take(asked: Asked, sent: Sent, response: AxiosResponse): void {
    if (this.#reader.isUnseen(asked, response)) return;
    const kept = keep(asked, sent, response);
    if (kept === undefined) return;
    const values = this.#valuesOf(asked);
    this.#whenKnown(asked, (key) => this.#answers.set(key, values, kept));
  }

  #drop(asked: Asked): void {
    const moment = this.#answers.moment();
    this.#whenKnown(asked, (key) => this.#answers.drop(key, moment));
  }

  /** In the order of the calls, however long each key takes. */
  #whenKnown(asked: Asked, act: (key: string) => void): void {
    this.#done = Promise.all([keyOf(asked), this.#done]).then(
      ([key]) => key === undefined || act(key),
      () => undefined,
    );
  }

  #valuesOf({ headers }: Asked): VaryingValues {
    // What may say who asks is in the key. How a body was packed nobody sees any more.
    const isLeft = (name: string) => name !== 'accept-encoding' && !this.#reader.isTelling(name);
    return (names) => names.filter(isLeft).map((name) => [name, headers.get(name)]);
  }
}

/**
 * Keeps the latest good answer to each GET and HEAD, and serves it in the place of a refusal: marked with
 * `response.fallback` `'stale'` and its age in seconds as the header `age`. Each user gets answers of its
 * own only, by whatever carries the credential; the docs tell of the few that no code can see.
 *
 * @throws TypeError or RangeError where an option is unknown or bad.
 * @example
 * import axios from 'axios';
 * import { CircuitBreaker } from 'axios-circuit-guard';
 * import { serveStale } from 'axios-circuit-guard/stale';
 *
 * new CircuitBreaker(axios.create(), { fallback: serveStale({ maxAge: 600_000 }) });
 */
export function serveStale(options: ServeStaleOptions = {}): StaleFallback {
  return new ServeStale(readOptions(options, checks));
}
