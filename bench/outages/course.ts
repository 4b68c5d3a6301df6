import axios from 'axios';
import type { Client, System } from '../systems/system.js';
import { adapterTo, type Wire } from '../virtual/exchange.js';
import { chanceOf } from '../virtual/random.js';
import { World } from '../virtual/world.js';
import { healthy, type Run, type Scene } from './scenes.js';

const workers = 200;
const deadline = 3_000;

/** What became of one call. Times are in ms since the dependency first was sick. */
export interface Call {
  readonly at: number;
  endedAt: number;
  outcome: 'pending' | 'success' | 'failure' | 'refused';
}

export interface Course {
  readonly calls: readonly Call[];
  readonly wire: Wire;
  /** When the breaker opened. */
  readonly opened: readonly number[];
}

/** One system through one run of a scene. */
export async function course(
  scene: Scene,
  system: System,
  { seed, sickFor }: Run,
): Promise<Course> {
  const world = new World(seed);
  const wire: Wire = { sent: [], inFlight: [] };
  const sinceTurn = () => world.now - scene.before;
  const isSick = (at: number) => at >= 0 && scene.isSick(at, sickFor);
  const answer = (call: number) => {
    if (isSick(sinceTurn())) return scene.serve(chanceOf(seed, call));
    const isLost = scene.losesInFlight === true && isSick(sinceTurn() + healthy.ms);
    return isLost ? { ...healthy, ms: Infinity } : healthy;
  };
  const calls: Call[] = [];
  const opened: number[] = [];
  await world.around(async () => {
    const adapter = adapterTo({ travel: 0, answer }, world, wire);
    const client = system.protect(axios.create({ adapter, timeout: deadline }), () =>
      opened.push(sinceTurn()),
    );
    const crew = new Crew(client, sinceTurn);
    const arrive = () => {
      const call: Call = { at: sinceTurn(), endedAt: NaN, outcome: 'pending' };
      crew.take(call, calls.length);
      calls.push(call);
      if (sinceTurn() + scene.every < sickFor + scene.after) world.after(scene.every, arrive);
    };
    world.after(0, arrive);
    await world.pass(scene.before + sickFor + scene.after + 2 * deadline);
  });
  const sent = wire.sent.map((at) => at - scene.before);
  return { calls, wire: { ...wire, sent }, opened };
}

/** Workers, each with one call at a time; a call that finds none free waits for one. */
class Crew {
  readonly #client: Client;
  readonly #now: () => number;
  readonly #waiting: [Call, number][] = [];
  #free = workers;

  constructor(client: Client, now: () => number) {
    this.#client = client;
    this.#now = now;
  }

  take(call: Call, number: number): void {
    this.#waiting.push([call, number]);
    this.#work();
  }

  #work(): void {
    const next = this.#free > 0 ? this.#waiting.shift() : undefined;
    if (next === undefined) return;
    const [call, number] = next;
    this.#free -= 1;
    const end = (outcome: Call['outcome']) => {
      call.outcome = outcome;
      call.endedAt = this.#now();
      this.#free += 1;
      this.#work();
    };
    this.#client.send(String(number)).then(
      () => end('success'),
      (error: unknown) => end(this.#client.isRefusal(error) ? 'refused' : 'failure'),
    );
  }
}
