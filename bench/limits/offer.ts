import axios from 'axios';
import type { System } from '../systems/system.js';
import { adapterTo, type Wire } from '../virtual/exchange.js';
import { World } from '../virtual/world.js';
import type { Limiter, Reply } from './limiters.js';

/** Half of it before the limiter is asked, half after. */
export const roundTrip = 80;
/** Of the quota, from all processes together. */
export const demand = 1.5;

/** What came of offering more than a limiter allows. */
export interface Yield {
  /** Share of the quota that was got. */
  readonly goodput: number;
  /** "Not so often", for 1,000 successes. */
  readonly refusedPer1000: number;
}

/** Processes of which each has a breaker of its own, evenly in turn. */
export async function offer(limiter: Limiter, system: System, processes: number): Promise<Yield> {
  const { quota, period, periods, burst = 0 } = limiter;
  const end = period * periods;
  const interval = period / (quota * demand);
  const world = new World(1);
  const replies: Reply[] = [];
  await world.around(async () => {
    const decide = limiter.start(world);
    const answer = () => {
      const reply = decide();
      if (world.now < end) replies.push(reply);
      return { ...reply, ms: roundTrip / 2 };
    };
    const wire: Wire = { sent: [], inFlight: [] };
    const adapter = adapterTo({ travel: roundTrip / 2, answer }, world, wire);
    const clients = Array.from({ length: processes }, () =>
      system.protect(axios.create({ adapter }), () => undefined),
    );
    let calls = 0;
    const arrive = () => {
      clients[calls % processes]?.send(String(calls)).catch(() => undefined);
      calls += 1;
      if (calls * interval < end) world.after(calls * interval - world.now, arrive);
    };
    world.after(0, arrive);
    await world.pass(end);
  });
  const served = replies.filter(({ status }) => status === 200).length;
  return {
    goodput: served / (quota * periods + burst),
    refusedPer1000: ((replies.length - served) / served) * 1_000,
  };
}
