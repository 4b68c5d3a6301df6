import type { createClient } from 'redis';
import { readAnswer, type Answer } from '../../src/redis/answer.js';
import { Names } from '../../src/redis/names.js';
import { sha } from '../../src/redis/script.js';
import type { Operation, Stored } from './script-model.js';

type Client = ReturnType<typeof createClient>;

/** What is used of a client's transactions, whose types know too much. */
interface Transaction {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Transaction;
  hGetAll(key: string): Transaction;
  zRangeWithScores(key: string, min: number, max: number): Transaction;
  pTTL(key: string): Transaction;
  exec(): Promise<unknown[]>;
}

/** What was asked, what was answered, and what is stored since, all at one instant. */
export interface Moment {
  readonly answer: Answer;
  readonly stored: Stored;
  /** Of each key that there is: how long it stays, in ms; below 0 where that has no end. */
  readonly kept: readonly { readonly key: string; readonly ttl: number }[];
}

/** How a call is to come too late, if it is. */
export type Lateness = 'in time' | 'of another incarnation' | 'after its deadline';

let tables = 0;

/** The script and its data in a real Redis. */
export class ScriptTable {
  readonly circuits = ['a', 'b'] as const;
  readonly #names: Names;
  incarnation = '';
  #calls = 0;

  constructor() {
    tables += 1;
    this.#names = new Names('model', `${tables}`);
  }

  /** Only the answer, for calls that race. */
  async call(client: Client, operation: Operation, node: string): Promise<Answer> {
    const answer = readAnswer(
      await client.evalSha(sha, this.#command(operation, node, 'in time', 0)),
    );
    this.incarnation = answer.incarnation;
    return answer;
  }

  /** Asks, and looks at all that is stored, with nothing in between. */
  async observe(
    client: Client,
    operation: Operation,
    node: string,
    { lateness, now }: { lateness: Lateness; now: number },
  ): Promise<Moment> {
    const [reply, ...rest] = await this.#look(
      begin(client).evalSha(sha, this.#command(operation, node, lateness, now)),
    ).exec();
    const answer = readAnswer(reply);
    this.incarnation = answer.incarnation;
    return { answer, ...this.#read(rest) };
  }

  /** What is stored, as it is. */
  async look(client: Client): Promise<Stored> {
    return this.#read(await this.#look(begin(client)).exec()).stored;
  }

  /** As if what is written of a circuit and of the fleet were older by so many ms. */
  async age(client: Client, circuit: string, ms: number): Promise<void> {
    const [, , circuits, fleet] = this.#keys;
    for (const key of [circuits, fleet]) {
      const text = key === undefined ? null : await client.hGet(key, circuit);
      if (key === undefined || !text) continue;
      const parts = text.split(' ');
      parts[2] = String(Number(parts[2]) - ms);
      await client.hSet(key, circuit, parts.join(' '));
    }
  }

  /** Writes whatever it is of a circuit, and of the fleet's command for it. */
  async write(client: Client, circuit: string, text: string): Promise<void> {
    for (const key of this.#names.keys().slice(2)) await client.hSet(key, circuit, text);
  }

  /** Redis forgets what it knew of incarnations. */
  async lose(client: Client): Promise<void> {
    await client.del(this.#names.keys().slice(0, 1));
  }

  get #keys(): string[] {
    return [
      ...this.#names.keys(),
      ...this.circuits.flatMap((circuit) => this.#names.keys(circuit).slice(4)),
    ];
  }

  #command(operation: Operation, node: string, lateness: Lateness, now: number) {
    const { do: name, ...given } = operation;
    const incarnation = lateness === 'of another incarnation' ? 'other' : this.incarnation;
    const deadline = lateness === 'after its deadline' ? String(now - 1) : '';
    const common = [name, this.#names.channel, node, incarnation, deadline];
    const args = [...common, `incarnation ${(this.#calls += 1)}`, ...argsOf(operation)];
    const circuit = 'circuit' in given ? given.circuit : undefined;
    return { keys: this.#names.keys(circuit), arguments: args.map(String) };
  }

  #look(multi: Transaction): Transaction {
    const [meta = '', nodes = '', circuits = '', fleet = '', ...sets] = this.#keys;
    for (const key of [meta, circuits, fleet]) multi.hGetAll(key);
    for (const key of [nodes, ...sets]) multi.zRangeWithScores(key, 0, -1);
    for (const key of this.#keys) multi.pTTL(key);
    return multi;
  }

  #read(replies: readonly unknown[]): Omit<Moment, 'answer'> {
    const [meta, circuits, fleet] = replies.slice(0, 3) as Record<string, string>[];
    const sets = replies.slice(3, -this.#keys.length) as { value: string; score: number }[][];
    const [nodes, votesOfA, leasesOfA, votesOfB, leasesOfB] = sets.map(
      (set) => new Map(set.map(({ value, score }) => [value, score])),
    );
    const of = (a = new Map<string, number>(), b = new Map<string, number>()) =>
      new Map([
        ['a', a],
        ['b', b],
      ]);
    const ttls = replies.slice(-this.#keys.length).map(Number);
    return {
      stored: {
        incarnation: meta?.['incarnation'],
        epoch: Number(meta?.['epoch'] ?? 0),
        circuits: new Map(
          Object.entries(circuits ?? {}).map(([id, text]) => [id, readCircuit(text)]),
        ),
        fleet: new Map(Object.entries(fleet ?? {}).map(([id, text]) => [id, readCommand(text)])),
        nodes: nodes ?? new Map<string, number>(),
        votes: of(votesOfA, votesOfB),
        leases: of(leasesOfA, leasesOfB),
      },
      kept: this.#keys
        .map((key, index) => ({ key: key.slice(key.indexOf('}') + 2), ttl: ttls[index] ?? -2 }))
        // There is no such key.
        .filter(({ ttl }) => ttl !== -2),
    };
  }
}

function begin(client: Client): Transaction {
  return client.multi();
}

function argsOf(operation: Operation): readonly unknown[] {
  switch (operation.do) {
    case 'poll':
      return [operation.liveFor];
    case 'rest':
      return [operation.circuit, operation.ms, operation.recovery, operation.row];
    case 'vote': {
      const { circuit, ms, recovery, row, quorum, voteFor, liveFor } = operation;
      return [circuit, ms, recovery, row, quorum, voteFor, liveFor];
    }
    case 'unvote':
      return [operation.circuit];
    case 'lease':
      return [operation.circuit, operation.token, operation.ms, operation.budget];
    case 'finish': {
      const { circuit, token, epoch, outcome, ms, recovery, row } = operation;
      return [circuit, token, epoch, outcome, ms, recovery, row];
    }
    case 'fleet':
      return [operation.circuit, operation.command];
    case 'leave':
      return [];
  }
}

function readCircuit(text: string) {
  const [state = '', epoch, ends, recovery = '', row] = text.split(' ');
  return { state, epoch: Number(epoch), ends: Number(ends), recovery, row: Number(row) };
}

function readCommand(text: string) {
  const [command = '', epoch, ends] = text.split(' ');
  return { command, epoch: Number(epoch), ends: Number(ends) };
}
