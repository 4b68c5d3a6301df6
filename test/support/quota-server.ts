import { AxiosError, type AxiosAdapter, type AxiosResponse } from 'axios';
import type { ManualClock } from '../../src/testing/index.js';

/** What a quota server knows when it answers. */
export interface QuotaState {
  readonly remaining: number;
  readonly resetsInMs: number;
  /** By the clock of the server, in epoch ms. */
  readonly now: number;
}

/** The headers of an answer; `isRefused` where the quota was used up before it. */
export type Tell = (quota: QuotaState, isRefused: boolean) => Record<string, string>;

export interface Window {
  served: number;
  refused: number;
}

export const windowMs = 60_000;
const epoch = Date.UTC(2026, 10, 30, 12);

/** So many requests in each minute, and 429 from then on: a server in memory, on a clock of its own. */
export class QuotaServer {
  /** What became of the requests of each minute, the first minute first. */
  readonly windows: Window[] = [];
  /** The most requests that were under way at once. */
  mostInFlight = 0;
  readonly #clock: ManualClock;
  readonly #quota: number;
  readonly #latency: number;
  readonly #tell: Tell;
  #inFlight = 0;

  /** `latency`: of an answer from its request on, in ms. */
  constructor(clock: ManualClock, quota: number, latency: number, tell: Tell) {
    this.#clock = clock;
    this.#quota = quota;
    this.#latency = latency;
    this.#tell = tell;
  }

  readonly adapter: AxiosAdapter = async (config) => {
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    await this.#pass(this.#latency / 2);
    const { status, headers } = this.#answer();
    await this.#pass(this.#latency / 2);
    this.#inFlight -= 1;
    const response = { status, statusText: '', headers, data: '', config } as AxiosResponse;
    if (status === 200) return response;
    throw new AxiosError('Too many', 'ERR_BAD_REQUEST', config, undefined, response);
  };

  get isIdle(): boolean {
    return this.#inFlight === 0;
  }

  #answer(): { status: number; headers: Record<string, string> } {
    const now = this.#clock.now();
    const index = Math.floor(now / windowMs);
    for (let missing = this.windows.length; missing <= index; missing += 1) {
      this.windows.push({ served: 0, refused: 0 });
    }
    const window = this.windows[index] ?? { served: 0, refused: 0 };
    const isRefused = window.served >= this.#quota;
    if (isRefused) window.refused += 1;
    else window.served += 1;
    const remaining = this.#quota - window.served;
    const resetsInMs = (index + 1) * windowMs - now;
    const headers = this.#tell({ remaining, resetsInMs, now: epoch + now }, isRefused);
    return { status: isRefused ? 429 : 200, headers };
  }

  async #pass(ms: number): Promise<void> {
    if (ms > 0) await new Promise<void>((resolve) => void this.#clock.setTimeout(resolve, ms));
  }
}
