import { setImmediate as nextRound } from 'node:timers/promises';
import axios from 'axios';
import { CircuitBreaker } from '../../src/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { dependencies, type Dependency } from './dependencies.js';
import { createRandom, service } from './service.js';

const stepMs = 10;
const minute = 60_000;

/** A shop with its dependencies, and customers who ask something of them all the time. */
export class Scene {
  readonly clock = new ManualClock();
  readonly breakers: readonly CircuitBreaker[];
  readonly #random = createRandom();
  readonly #asking: readonly ((share: number) => void)[];

  constructor() {
    const parts = dependencies.map((dependency) => this.#open(dependency));
    this.breakers = parts.map(({ breaker }) => breaker);
    this.#asking = parts.map(({ ask }) => ask);
    this.#command('mail', 'disable', 6.5 * minute);
    this.#command('legacy-tax', 'open', 8 * minute);
  }

  /** Goes on by so much; the clock has no time of its own. */
  async play(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    while (this.clock.now() < end) {
      const step = Math.min(stepMs, end - this.clock.now());
      for (const ask of this.#asking) ask(step / 1_000);
      await nextRound();
      this.clock.advance(step);
    }
    await nextRound();
  }

  #open({ name, options, perSecond, treat, urls = ['/'] }: Dependency) {
    const adapter = service(this.clock, this.#random, treat);
    const client = axios.create({ adapter });
    const breaker = new CircuitBreaker(client, { ...options, name, clock: this.clock });
    let asked = 0;
    const ask = (seconds: number) => {
      // About so many, as it is with people.
      if (this.#random() > perSecond * seconds) return;
      asked += 1;
      client.get(urls[asked % urls.length] ?? '/').catch(() => undefined);
    };
    return { breaker, ask };
  }

  #command(name: string, command: 'open' | 'disable', at: number): void {
    const breaker = this.breakers.find((known) => known.name === name);
    this.clock.setTimeout(() => breaker?.[command](), at);
  }
}
