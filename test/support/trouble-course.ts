import { setImmediate as nextRound, setTimeout as wait } from 'node:timers/promises';
import { until } from '../test-server/exchange.js';
import type { Kind } from './redis-clients.js';
import { createParty, setStage, untilShared, type Party, type Stage } from './sharing.js';
import type { Trouble } from './troubles.js';

/** How long requests waited, in ms. */
export interface Waits {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What one breaker did while the trouble lasted. */
export interface Account {
  /** Its transitions. */
  readonly told: readonly string[];
  /** The names of the errors that its callers got. */
  readonly errors: readonly string[];
  readonly waits: readonly number[];
}

/** What came of one trouble. */
export interface Course {
  /** Shares, and its service is out for a while. */
  readonly sharing: Account;
  /** The same without sharing. */
  readonly control: Account;
  /** Shares, and its service is well. */
  readonly bystander: Account;
  /** How long a timer of 100 ms took that was started with each request. */
  readonly timer: Account;
  /** The sources of faults, of each that shares. */
  readonly faults: readonly (readonly string[])[];
  /** From the end of the trouble until one hears of the other's rate limit. */
  readonly resumedMs: number;
}

/** How long a trouble lasts at least, in ms. */
const troubleFor = 2_500;
/** From one request to the next, in ms. */
const pace = 50;

export async function runThrough(kind: Kind, trouble: Trouble): Promise<Course> {
  const stage = await setStage();
  try {
    await trouble.prepare?.(stage);
    const cast = {
      sharing: await enter(stage, kind, trouble),
      bystander: await enter(stage, kind, trouble),
      control: createParty(),
    };
    return await run(stage, trouble, cast);
  } finally {
    await stage.stop();
  }
}

async function enter(stage: Stage, kind: Kind, { prepare }: Trouble): Promise<Party> {
  const user = stage.createClient(kind);
  user.connect();
  if (prepare) return stage.join(user.client);
  await until(() => user.isReady(), 20_000);
  const party = stage.join(user.client);
  await untilShared(party);
  return party;
}

type Cast = Readonly<Record<'sharing' | 'control' | 'bystander', Party>>;

async function run(stage: Stage, trouble: Trouble, cast: Cast): Promise<Course> {
  const { sharing, control, bystander } = cast;
  const traffic = {
    sharing: createTraffic(sharing.get, sharing.told),
    control: createTraffic(control.get, control.told),
    bystander: createTraffic(bystander.get, bystander.told),
    timer: createTraffic(hundredMs),
  };
  const senders = Object.values(traffic);
  // None is always the first.
  const interval = setInterval(() => senders.reverse().forEach(({ send }) => send()), pace);
  await wait(300);
  const end = await trouble.begin(stage);
  const least = wait(troubleFor);
  await wait(300);
  for (const { answers } of [sharing, control]) answers.push(...outage);
  await until(() => sharing.told.length >= 5 && control.told.length >= 5, 30_000);
  await least;
  clearInterval(interval);
  const accounts = {
    sharing: await traffic.sharing.account(),
    control: await traffic.control.account(),
    bystander: await traffic.bystander.account(),
    timer: await traffic.timer.account(),
  };
  await end();
  const resumedMs = await resume(sharing, bystander);
  return { ...accounts, faults: [sharing.faults, bystander.faults], resumedMs };
}

/** Five failures open, the next is a probe's. */
const outage = Array.from({ length: 6 }, () => ({ status: 503 }));

async function hundredMs(): Promise<{ error?: unknown }> {
  await wait(100);
  await nextRound();
  return {};
}

function createTraffic(get: () => Promise<{ error?: unknown }>, told: readonly string[] = []) {
  const waits: Promise<number>[] = [];
  const errors = new Set<string>();
  const sendOne = async () => {
    const sentAt = performance.now();
    const { error } = await get();
    if (error) errors.add((error as Error).name);
    return performance.now() - sentAt;
  };
  return {
    send: () => void waits.push(sendOne()),
    account: async (): Promise<Account> => ({
      waits: await Promise.all(waits),
      told: [...told],
      errors: [...errors].sort(),
    }),
  };
}

async function resume(one: Party, other: Party): Promise<number> {
  const endedAt = performance.now();
  await one.limit(60);
  await until(() => other.told.includes('OPEN shared'), 30_000);
  return performance.now() - endedAt;
}

/** Request by request, how much longer the one took. */
export function beyond(one: Account, other: Account): number[] {
  return one.waits.map((ms, index) => Math.max(0, ms - (other.waits[index] ?? 0)));
}

export function figuresOf(waits: readonly number[]): Waits {
  const sorted = [...waits].sort((first, second) => first - second);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
