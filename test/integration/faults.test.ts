import { Agent } from 'node:http';
import type { AxiosRequestConfig } from 'axios';
import { isTimeoutError, type BreakerEvents } from '../../src/index.js';
import { startFaultProxy, type FaultProxy, type WireFault } from '../../test-server/fault-proxy.js';
import { listenersOf } from '../support/leftovers.js';
import { expectProbeRecovery, openHalfway, probing } from '../support/probing.js';
import { expectQuietProcess } from '../support/quiet-process.js';
import { outcome, sleep, startRig, type Rig } from '../support/rig.js';
import { senders } from '../support/senders.js';
import { counts, watch } from '../support/watch.js';
import { WatchedClock } from '../support/watched-clock.js';
import { until } from '../test-server/exchange.js';

interface Fault {
  readonly fault: string;
  /** @default 'none' */
  readonly wire?: WireFault;
  /** Where the request goes. @default through the proxy */
  readonly url?: (proxy: FaultProxy) => string;
  /** Whether it would go on for ever, or for long. */
  readonly isEndless?: true;
}

// A name that no resolver asks anybody about.
const nowhere = `http://${'a'.repeat(64)}.example/`;

const faults: readonly Fault[] = [
  { fault: 'a connection that is refused', url: ({ deadUrl }) => deadUrl },
  { fault: 'a name that nobody knows', url: () => nowhere },
  { fault: 'a server that knows no TLS', url: ({ url }) => url.replace('http:', 'https:') },
  { fault: 'a reset at accept', wire: 'reset-at-accept' },
  { fault: 'a reset after the headers', wire: 'reset-after-headers' },
  { fault: 'half a body, then silence', wire: 'half-then-silence', isEndless: true },
  { fault: 'half a body, then the end', wire: 'half-then-cut' },
  { fault: 'a body that drips for too long', wire: 'drip', isEndless: true },
  { fault: 'a kept socket that closes under the request', wire: 'keep-alive' },
  { fault: 'a redirect to a dead host', wire: 'dead-redirect' },
  { fault: 'headers without measure', wire: 'huge-headers' },
  { fault: 'chunks that are none', wire: 'invalid-chunking' },
];

const inTime: Fault = { fault: 'a body that drips in time', wire: 'drip' };
const continues: Fault = { fault: '100 Continue before the answer', wire: 'continue' };
// The fetch of Node 20 takes it for a bad answer.
const harmless = { http: [inTime, continues], fetch: [inTime] };

const requestTimeout = 60_000;

describe.each(senders)('on the wire, by $sender', ({ sender, config }) => {
  expectQuietProcess();
  let clock: WatchedClock;
  let proxy: FaultProxy;
  let rig: Rig;
  let signal: AbortSignal;
  let agent: Agent;

  beforeEach(async () => {
    clock = new WatchedClock();
    signal = new AbortController().signal;
    agent = new Agent({ keepAlive: true });
    rig = await startRig({ ...probing, requestTimeout, maxConcurrent: 1, clock }, config);
    proxy = await startFaultProxy(rig.server.port);
  });
  afterEach(async () => {
    agent.destroy();
    await proxy.close();
    await rig.stop();
  });

  /** What becomes of a request that meets the fault. */
  async function meet({ wire = 'none', url, isEndless }: Fault) {
    const { client, server } = rig;
    server.script('/', [{ body: 'a'.repeat(isEndless ? 10_000 : 20) }]);
    proxy.fault = wire;
    const config: AxiosRequestConfig = { signal, httpAgent: agent };
    const call = outcome(client.get(url?.(proxy) ?? proxy.url, config));
    if (isEndless) {
      await until(() => server.hits('/') >= 1);
      await sleep(20);
      clock.advance(requestTimeout);
    }
    return call;
  }

  /** A request of before, whose socket is still there. */
  async function warmUp({ wire }: Fault) {
    if (wire !== 'keep-alive') return;
    proxy.fault = wire;
    rig.server.script('/', [200]);
    await rig.client.get(proxy.url, { httpAgent: agent, circuitBreaker: false });
    // Until it is free for the next request.
    await sleep(20);
  }

  async function expectNothingLeft({ timers }: { timers: number }) {
    expect(rig.breaker.snapshot()).toMatchObject({ inFlight: 0, queued: 0 });
    expect(listenersOf(signal)).toBe(0);
    expect(clock.pending).toBe(timers);
    await until(() => proxy.sockets() === 0);
  }

  /** The one place is free. */
  async function expectNextSucceeds() {
    proxy.fault = 'none';
    expect((await rig.client.get(proxy.url)).status).toBe(200);
  }

  describe.each(faults)('$fault', (fault) => {
    it('is a failure, told once with the error of the caller, and leaves nothing', async () => {
      const { breaker } = rig;
      const told = watch(breaker);
      const failures: BreakerEvents['FAILURE'][] = [];
      breaker.on('FAILURE', (event) => failures.push(event));
      await warmUp(fault);

      const { error } = await meet(fault);
      expect(error).toBeInstanceOf(Error);
      expect(isTimeoutError(error)).toBe(fault.isEndless === true);
      expect(told).toEqual(['FAILURE']);
      expect(failures).toMatchObject([{ key: 'default', probe: false, late: false, slow: false }]);
      expect(failures[0]?.error).toBe(error);
      expect(breaker.snapshot().counts).toEqual(counts({ admitted: 1, failure: 1 }));
      await expectNothingLeft({ timers: 0 });
      await expectNextSucceeds();
    });

    it('fails a probe, and gives its slot back', async () => {
      const { breaker } = rig;
      await warmUp(fault);
      await openHalfway(rig, clock);
      const told = watch(breaker);

      const { error } = await meet(fault);
      expect(error).toBeInstanceOf(Error);
      const reason = fault.isEndless ? 'probe-expired' : 'probe-failed';
      expect(told).toEqual(['FAILURE', `OPEN ${reason} 300`]);
      // The end of the cooldown.
      await expectNothingLeft({ timers: 1 });
      await expectProbeRecovery(rig, clock);
      expect(clock.pending).toBe(0);
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 7, failure: 6, success: 1 });
    });
  });

  describe.each(harmless[sender])('$fault', (fault) => {
    it('is a success, and leaves nothing', async () => {
      const told = watch(rig.breaker);
      expect((await meet(fault)).value).toMatchObject({ status: 200, data: 'a'.repeat(20) });
      expect(told).toEqual(['SUCCESS']);
      expect(rig.breaker.snapshot().counts).toEqual(counts({ admitted: 1, success: 1 }));
      await expectNothingLeft({ timers: 0 });
      await expectNextSucceeds();
    });

    it('passes as a probe', async () => {
      await openHalfway(rig, clock);
      const told = watch(rig.breaker);
      expect((await meet(fault)).value).toMatchObject({ status: 200 });
      expect(told).toEqual(['SUCCESS', 'CLOSE probes-passed 300']);
      await expectNothingLeft({ timers: 0 });
    });
  });
});
