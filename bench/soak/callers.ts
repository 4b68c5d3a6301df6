import axios, { type AxiosRequestConfig } from 'axios';
import { staticFallback, type BreakerEventName, type RequestOptions } from '../../src/index.js';
import { drawLot, moodOf } from './moods.js';
import type { Subject } from './subjects.js';

/** How many circuits a breaker has for its requests, beside those of requests with keys of their own. */
const keyCount = 5;

/** What the calls of a soak share. */
export interface Shared {
  readonly seed: number;
  readonly random: () => number;
  /** As those of an application that aborts everything when it ends: it outlives all calls. */
  readonly signal: AbortSignal;
}

const ownFallback = staticFallback({ text: 'own' });

/** One request as somebody may make it: aborted or not, with options of its own or without. */
export async function call({ client }: Subject, shared: Shared): Promise<boolean> {
  const { seed, random } = shared;
  const key = Math.floor(random() * keyCount);
  const { status, delay, headers } = drawLot(moodOf(seed, key), random);
  const query = new URLSearchParams({ status: String(status), delay: String(Math.ceil(delay)) });
  for (const [name, value] of Object.entries(headers)) query.append('header', `${name}:${value}`);
  const { config, abort } = drawAbort(shared);
  const options = drawOptions(random);
  if (options !== undefined) config.circuitBreaker = options;
  const url = `/path-${key}?${query.toString()}`;
  const answered =
    random() < 0.2 ? client.post(url, { some: 'data' }, config) : client.get(url, config);
  abort();
  return answered.then(
    () => true,
    () => false,
  );
}

/** How the caller may give up: not at all, before, at once, or in a while; by signal or by token. */
function drawAbort({ random, signal }: Shared): { config: AxiosRequestConfig; abort: () => void } {
  const chance = random();
  const later = () => undefined;
  if (chance < 0.7) return { config: {}, abort: later };
  if (chance < 0.8) return { config: { signal }, abort: later };
  if (chance < 0.83) {
    return {
      config: { signal: AbortSignal.timeout(Math.ceil(random() * 30)) },
      abort: later,
    };
  }
  const source = axios.CancelToken.source();
  const controller = new AbortController();
  const [config, cancel] =
    chance < 0.9
      ? [{ cancelToken: source.token }, () => source.cancel('enough')]
      : [{ signal: controller.signal }, () => controller.abort()];
  const when = random();
  if (when < 0.1) cancel();
  if (when < 0.3) return { config, abort: cancel };
  if (when < 0.5) return { config, abort: () => queueMicrotask(cancel) };
  return { config, abort: () => void setTimeout(cancel, random() * 40) };
}

function drawOptions(random: () => number): false | RequestOptions | undefined {
  const chance = random();
  if (chance < 0.8) return undefined;
  if (chance < 0.82) return false;
  if (chance < 0.88) return { requestTimeout: 1 + random() * 20 };
  if (chance < 0.92) return { key: `own-${Math.floor(random() * 3)}` };
  if (chance < 0.96) return { fallback: ownFallback };
  return { fallback: false };
}

const eventNames: readonly BreakerEventName[] = ['OPEN', 'CLOSE', 'REFUSE', 'FAILURE', 'SUCCESS'];

/** A listener that comes, may throw, and goes after a while. */
export function visit({ breaker }: Subject, { random }: Shared): void {
  const name = eventNames[Math.floor(random() * eventNames.length)] ?? 'OPEN';
  const isBad = random() < 0.1;
  const listener = () => {
    if (isBad) throw new Error('a listener of the soak');
  };
  if (random() < 0.3) breaker.once(name, listener);
  else breaker.on(name, listener);
  setTimeout(() => breaker.off(name, listener), random() * 50);
}

/** A command by hand, taken back after a while. */
export function command({ breaker }: Subject, { random }: Shared): void {
  const key = random() < 0.8 ? `/path-${Math.floor(random() * keyCount)}` : undefined;
  const name = random() < 0.5 ? 'open' : 'disable';
  breaker[name](key);
  setTimeout(() => breaker.close(key), random() * 40);
}
