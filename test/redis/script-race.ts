import { setTimeout as sleep } from 'node:timers/promises';
import type { createClient } from 'redis';
import type { Answer } from '../../src/redis/answer.js';
import { Granted, type Asking } from './script-asking.js';
import { asText, type Operation } from './script-model.js';
import { ScriptTable } from './script-table.js';

type Client = ReturnType<typeof createClient>;

export interface RacingStep {
  readonly ask: Asking;
  readonly node: number;
  readonly delay: number;
}

interface Answered {
  readonly operation: Operation;
  readonly answer: Answer;
}

/** The answers have the time to a tenth of a millisecond. */
const blur = 0.11;
const budget = 2;

/** Nodes that ask when they like, over connections of their own. */
export class Race {
  readonly #clients: readonly Client[];
  readonly #table = new ScriptTable();
  readonly #granted = new Granted();
  readonly answered: Answered[] = [];
  #isReady: Promise<unknown> | undefined;

  constructor(clients: readonly Client[]) {
    this.#clients = clients;
  }

  async run({ ask, node, delay }: RacingStep): Promise<void> {
    const client = this.#clients[node];
    if (client === undefined) return;
    await (this.#isReady ??= this.#table.call(client, { do: 'poll', liveFor: 3_000 }, '0'));
    await sleep(delay);
    const operation = this.#granted.complete(ask.do === 'lease' ? { ...ask, budget } : ask);
    const answer = await this.#table.call(client, operation, String(node));
    this.#granted.note(operation, answer);
    this.answered.push({ operation, answer });
  }
}

export function expectFair({ answered }: Race): void {
  const answers = answered.map(({ answer }) => answer);
  answers.sort((one, other) => one.epoch - other.epoch || one.now - other.now);
  const told = new Map<string, string>();
  let last = 0;
  for (const { epoch, now, circuits } of answers) {
    expect(now).toBeGreaterThanOrEqual(last - blur);
    last = now;
    for (const news of circuits) {
      // One epoch is one change, to all who hear of it.
      const text = asText(news.id, news);
      expect(news.epoch).toBeLessThanOrEqual(epoch);
      expect(told.get(`${news.epoch}`) ?? text).toBe(text);
      told.set(`${news.epoch}`, text);
    }
  }
  expectNoLeaseTooMany(answered);
}

function expectNoLeaseTooMany(answered: readonly Answered[]): void {
  const leases = answered.flatMap(({ operation, answer }) => {
    if (operation.do !== 'lease' || !answer.granted) return [];
    const { circuit, token, ms } = operation;
    const ends = Math.min(answer.now + ms, ...endsOf(answered, circuit, token));
    return [{ circuit, from: answer.now, ends }];
  });
  for (const { circuit, from } of leases) {
    const others = leases.filter((lease) => lease.circuit === circuit);
    const held = others.filter((lease) => lease.from <= from && lease.ends > from + 2 * blur);
    expect(held.length).toBeLessThanOrEqual(budget);
  }
}

function endsOf(answered: readonly Answered[], circuit: string, token: string): number[] {
  return answered.flatMap(({ operation, answer }) =>
    operation.do === 'finish' && operation.token === token && operation.circuit === circuit
      ? [answer.now]
      : [],
  );
}
