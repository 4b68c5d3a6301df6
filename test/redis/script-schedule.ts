import { setTimeout as sleep } from 'node:timers/promises';
import type { createClient } from 'redis';
import { Granted, type Asking } from './script-asking.js';
import { expectAsModelled, expectSound } from './script-checks.js';
import type { Operation, Stored } from './script-model.js';
import { ScriptTable, type Lateness } from './script-table.js';

type Client = ReturnType<typeof createClient>;

export type Step =
  | { readonly do: 'ask'; readonly ask: Asking; readonly node: string; readonly lateness: Lateness }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'age'; readonly circuit: string; readonly ms: number }
  | { readonly do: 'lose' };

/** What nodes ask one after the other, step by step. */
export class Schedule {
  readonly #table = new ScriptTable();
  readonly #client: Client;
  readonly #granted = new Granted();
  #before: Stored | undefined;
  #now = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  async run(step: Step): Promise<void> {
    if (step.do === 'wait') await sleep(step.ms);
    else if (step.do === 'ask') await this.#ask(this.#granted.complete(step.ask), step);
    else {
      if (step.do === 'age') await this.#table.age(this.#client, step.circuit, step.ms);
      else await this.#table.lose(this.#client);
      this.#before = undefined;
    }
  }

  async #ask(operation: Operation, { node, lateness }: Step & { do: 'ask' }): Promise<void> {
    const { incarnation } = this.#table;
    const asked = { operation, node, lateness, incarnation };
    const before = this.#before ?? (await this.#table.look(this.#client));
    const late = { lateness, now: this.#now };
    const moment = await this.#table.observe(this.#client, operation, node, late);
    this.#before = moment.stored;
    this.#now = moment.answer.now;
    this.#granted.note(operation, moment.answer);
    expectSound(before, asked, moment);
    expectAsModelled(before, asked, moment);
  }
}
