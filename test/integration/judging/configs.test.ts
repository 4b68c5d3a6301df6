import axios, {
  type AxiosAdapter,
  type AxiosError,
  type AxiosRequestConfig,
  type InternalAxiosRequestConfig,
} from 'axios';
import {
  CircuitBreakerWithEmitter,
  isBreakerOpenError,
  type CircuitBreakerOptions,
} from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { describeIf, isAxiosFrom, sendsConfigsAgain } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { startRigBeside } from '../../support/rig-around.js';
import { defaultOptions, expectAtRest, outcome, startRig } from '../../support/rig.js';
import { expectRecovery, inTurn } from '../../support/steps.js';

const secondBreaker = (
  rig: Awaited<ReturnType<typeof startRigBeside>>,
  options: CircuitBreakerOptions = {},
) => new CircuitBreakerWithEmitter(rig.client, { ...defaultOptions, name: 'second', ...options });

describeIf(sendsConfigsAgain)('A config that is sent again with our guard still on it', () => {
  expectQuietProcess();

  /** A rig whose last interceptor keeps a copy of each config, guards and all. */
  const startCopyingRig = async (options: CircuitBreakerOptions = {}) => {
    const copies: AxiosRequestConfig[] = [];
    const rig = await startRigBeside(
      'before',
      ({ interceptors }) =>
        interceptors.request.use((config) => {
          copies.push({ ...config });
          return config;
        }),
      options,
    );
    return { rig, copies };
  };

  it('is one exchange, and takes one permit', async () => {
    const { rig, copies } = await startCopyingRig();
    rig.server.script('/', [200]);
    await rig.client.get('/');
    expect(typeof copies[0]?.adapter).toBe('function');

    await rig.client.request(copies[0] ?? {});
    await rig.client.request(copies[1] ?? {});

    expect(rig.server.hits('/')).toBe(3);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 3, success: 3 });
    await rig.stop();
  });

  it('takes one permit of each of two breakers', async () => {
    const { rig, copies } = await startCopyingRig();
    const second = secondBreaker(rig);
    rig.server.script('/', [200]);
    await rig.client.get('/');

    await rig.client.request(copies[0] ?? {});
    await rig.client.request(copies[1] ?? {});

    expect(rig.server.hits('/')).toBe(3);
    for (const breaker of [rig.breaker, second]) {
      expect(breaker.snapshot().counts).toMatchObject({ admitted: 3, success: 3 });
    }
    expectAtRest(second);
    await rig.stop();
  });

  it('meets the breaker as any other request does: 5 failures in all open it', async () => {
    const { rig, copies } = await startCopyingRig();
    rig.server.script('/', [503]);

    await outcome(rig.client.get('/'));
    const outcomes = await inTurn(5, (index) => rig.client.request(copies[index] ?? {}));

    expect(isBreakerOpenError(outcomes[4]?.error)).toBe(true);
    expect(rig.server.hits('/')).toBe(5);
    expect(rig.transitions).toEqual(['OPEN']);
    await rig.stop();
  });

  it('goes past the breaker when it is sent again with `circuitBreaker: false`', async () => {
    const { rig, copies } = await startCopyingRig();
    rig.server.script('/', [200]);
    await rig.client.get('/');

    await rig.client.request({ ...copies[0], circuitBreaker: false });

    expect(rig.server.hits('/')).toBe(2);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1 });
    await rig.stop();
  });

  it('is sent as it is once the breaker is detached', async () => {
    const { rig, copies } = await startCopyingRig({ consecutiveFailures: 1 });
    rig.server.script('/', [503]);
    await outcome(rig.client.get('/'));
    expect(rig.breaker.getStatus()).toBe(true);
    rig.breaker.detach();

    const { error } = await outcome(rig.client.request(copies[0] ?? {}));

    expect(error).toMatchObject({ response: { status: 503 } });
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 1, refused: 0 });
    await rig.stop();
  });

  it('is one exchange, and takes one permit, where a plugin had wrapped the guard', async () => {
    const rig = await startRigBeside('before', ({ interceptors }) =>
      interceptors.request.use((config) => {
        const guard = config.adapter as AxiosAdapter;
        config.adapter = (sent) => guard(sent);
        return config;
      }),
    );
    rig.server.script('/', [503]);

    const { error } = await outcome(rig.client.get('/'));
    await outcome(rig.client.request((error as AxiosError).config ?? {}));

    expect(rig.server.hits('/')).toBe(2);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 2, failure: 2 });
    await rig.stop();
  });

  it('is clean on `error.config`: no guard is left', async () => {
    const rig = await startRig();
    rig.server.script('/', [503]);
    const plain = axios.create({ baseURL: rig.server.url });
    const { error: expected } = await outcome(plain.get('/'));

    const { error } = await outcome(rig.client.get('/'));

    const adapterOf = (failed: unknown) =>
      (failed as { config: AxiosRequestConfig }).config.adapter;
    expect(adapterOf(error)).toEqual(adapterOf(expected));
    await rig.stop();
  });
});

describe('Two breakers on one client', () => {
  expectQuietProcess();

  // The later one is asked last, next to the wire.
  it.each([
    { which: 'later', first: 5, second: 3 },
    { which: 'earlier', first: 3, second: 5 },
  ])('refuse when the $which one is open; the other counts what it sees', async (limits) => {
    const errorHandler = () => true;
    const rig = await startRig({ consecutiveFailures: limits.first, errorHandler });
    const second = secondBreaker(rig, { consecutiveFailures: limits.second, errorHandler });
    rig.server.script('/', [503]);

    const outcomes = await inTurn(8, () => rig.client.get('/'));

    expect(rig.server.hits('/')).toBe(3);
    const name = limits.first === 3 ? 'default' : 'second';
    for (const { error } of outcomes.slice(3)) {
      expect(isBreakerOpenError(error)).toBe(true);
      expect(error).toMatchObject({ breaker: name });
    }
    const [open, closed] = limits.first === 3 ? [rig.breaker, second] : [second, rig.breaker];
    expect(open.getState()).toBe('open');
    expect(open.snapshot().counts).toMatchObject({ admitted: 3, failure: 3, refused: 5 });
    expect(closed.getState()).toBe('closed');
    expect(closed.snapshot().counts).toMatchObject({ failure: 3, success: 0, refused: 0 });
    expectAtRest(second);
    await rig.stop();
  });

  it('count for themselves, and detach for themselves', async () => {
    const rig = await startRig();
    const second = secondBreaker(rig);
    rig.server.script('/', [200]);
    await rig.client.get('/');
    second.detach();
    await rig.client.get('/');

    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 2, success: 2 });
    expect(second.snapshot().counts).toMatchObject({ admitted: 1, success: 1 });
    await rig.stop();
  });
});

describe('A frozen config', () => {
  expectQuietProcess();

  it('is judged like any other, where it is frozen before our interceptor', async () => {
    const clock = new ManualClock();
    const rig = await startRigBeside('after', freezeConfigs, { clock });
    rig.server.script('/', [503]);

    await inTurn(6, () => rig.client.get('/'));

    expect(rig.server.hits('/')).toBe(5);
    expect(rig.transitions).toEqual(['OPEN']);
    await expectRecovery(rig, clock);
    await rig.stop();
  });

  describeIf(isAxiosFrom(1, 20))('where axios can send one', () => {
    it('is judged like any other, where it is frozen after our interceptor', async () => {
      const clock = new ManualClock();
      const rig = await startRigBeside('before', freezeConfigs, { clock });
      rig.server.script('/', [503]);

      await inTurn(6, () => rig.client.get('/'));

      expect(rig.server.hits('/')).toBe(5);
      expect(rig.transitions).toEqual(['OPEN']);
      await expectRecovery(rig, clock);
      await rig.stop();
    });
  });

  describeIf(!isAxiosFrom(1, 20))('where axios cannot send one', () => {
    it("is axios' own error and no failure, where it is frozen after our interceptor", async () => {
      const rig = await startRigBeside('before', freezeConfigs, { consecutiveFailures: 1 });

      const { error } = await outcome(rig.client.get('/'));

      expect(error).toBeInstanceOf(TypeError);
      expect(rig.server.hits()).toBe(0);
      expect(rig.breaker.snapshot().counts).toMatchObject({ failure: 0 });
      expect(rig.transitions).toEqual([]);
      await rig.stop();
    });
  });
});

describe('`circuitBreaker: false`', () => {
  expectQuietProcess();

  it('sends a request past an open breaker, and counts it nowhere', async () => {
    const rig = await startRig({ consecutiveFailures: 1 });
    rig.server.script('/', [503, 200]);
    await outcome(rig.client.get('/'));
    const before = rig.breaker.snapshot().counts;

    const { value } = await outcome(rig.client.get('/', { circuitBreaker: false }));

    expect(value).toMatchObject({ status: 200 });
    expect(rig.breaker.getState()).toBe('open');
    expect(rig.breaker.snapshot().counts).toEqual(before);
    await rig.stop();
  });

  it('as a default of the client sends all past it', async () => {
    const rig = await startRig({ consecutiveFailures: 1 }, { circuitBreaker: false });
    rig.server.script('/', [503]);

    await inTurn(3, () => rig.client.get('/'));

    expect(rig.server.hits('/')).toBe(3);
    expect(rig.breaker.snapshot().counts).toMatchObject({ admitted: 0, refused: 0 });
    expect(rig.transitions).toEqual([]);
    await rig.stop();
  });
});

function freezeConfigs({
  interceptors,
}: Parameters<Parameters<typeof startRigBeside>[1]>[0]): void {
  interceptors.request.use((config) => Object.freeze(config) as InternalAxiosRequestConfig);
}
