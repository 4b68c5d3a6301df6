import axios, { isAxiosError, type AxiosInstance } from 'axios';
import { CircuitBreakerWithEmitter, isBreakerOpenError, type Clock } from '../../src/index.js';
import { startTestServer } from '../../test-server/start.js';
import {
  scenario,
  type Entry,
  type OpenEntry,
  type RequestEntry,
  type Timeline,
} from './timeline.js';

/** @param speed - how many seconds of the timeline pass in one second of life. */
export async function run(speed: number, onEntry: (entry: Entry) => void): Promise<Timeline> {
  const server = await startTestServer();
  try {
    const entries: Entry[] = [];
    const record = (entry: Entry) => {
      entries.push(entry);
      onEntry(entry);
    };
    await ask(axios.create({ baseURL: server.url }), fastClock(speed), record);
    return { entries, hits: server.hits('/test/') };
  } finally {
    await server.close();
  }
}

async function ask(
  instance: AxiosInstance,
  clock: Clock,
  record: (entry: Entry) => void,
): Promise<void> {
  const breaker = new CircuitBreakerWithEmitter(
    { instance },
    { timeout: scenario.cooldown, errorHandler: (error) => error.response?.status === 429, clock },
  );
  const start = clock.now();
  const elapsed = () => clock.now() - start;
  let opening: OpenEntry | undefined;
  let closedAt = 0;
  let rest: Promise<unknown> = Promise.resolve();

  breaker.on('OPEN', ({ reason, cooldownMs }) => {
    rest = new Promise((resolve) => breaker.once('CLOSE', resolve));
    opening = { type: 'OPEN', at: elapsed(), reason, cooldownMs };
  });
  breaker.on('CLOSE', ({ openForMs }) => {
    closedAt = elapsed();
    record({ type: 'CLOSE', at: closedAt, openForMs });
  });

  // A request that comes late skips a turn rather than asking twice at once.
  for (let number = 1, turn = 0; number <= scenario.requests; number += 1) {
    if (turn > 0) await sleep(clock, turn * scenario.requestEvery - elapsed());
    const askedAt = elapsed();
    const answer = await answerOf(instance.get('/test/'));
    // To ask may be what ends an opening that is due to end.
    const at = Math.max(askedAt, closedAt);
    record({ type: 'request', at, number, answer, state: breaker.getState() });
    // Told before the caller has the answer that caused it; a reader wants the cause first.
    if (opening !== undefined) record(opening);
    opening = undefined;
    turn = Math.max(turn + 1, Math.ceil(elapsed() / scenario.requestEvery));
  }
  await rest;
  breaker.detach();
}

async function answerOf(request: Promise<{ status: number }>): Promise<RequestEntry['answer']> {
  try {
    return (await request).status;
  } catch (error) {
    if (isBreakerOpenError(error)) return 'refused';
    if (isAxiosError(error) && error.response !== undefined) return error.response.status;
    throw error;
  }
}

/** Real time, so many times faster: the breaker's options stay what they are in life. */
function fastClock(speed: number): Clock {
  return {
    now: () => performance.now() * speed,
    setTimeout: (fn, ms) => setTimeout(fn, ms / speed),
    clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  };
}

const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.setTimeout(resolve, ms));
