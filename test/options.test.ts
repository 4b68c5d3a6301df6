import { isFailure } from '../src/index.js';
import { resolveOptions } from '../src/resolve-options.js';
import { systemClock } from '../src/circuit/clock.js';
import { warn } from '../src/faults.js';

const resolve = (options: object) => resolveOptions(options);
const rules = (options: object = {}) => resolve(options).rules;

describe('the defaults', () => {
  it('are made for outages where no rule is given', () => {
    expect(resolve({})).toEqual({
      name: 'default',
      errorHandler: isFailure,
      responseHandler: undefined,
      clock: systemClock,
      onFault: warn,
      requestTimeout: undefined,
      bulkhead: { maxConcurrent: Infinity, maxQueued: 0, maxQueueWait: 30_000 },
      key: undefined,
      maxKeys: 1_000,
      fallback: undefined,
      fallsBackOnFailure: false,
      rateLimit: {
        minWait: 1_000,
        maxWait: 86_400_000,
        maxWaitOther: 30_000,
        jitter: 0,
        wait: undefined,
        preempt: false,
        units: undefined,
        headers: undefined,
      },
      rules: {
        window: { kind: 'time', duration: 10_000 },
        slowCallDuration: undefined,
        trip: {
          firstError: false,
          failureThreshold: 0.5,
          consecutiveFailures: 5,
          slowCallThreshold: undefined,
          minimumCalls: 10,
        },
        cooldown: { base: 1_000, factor: 2, max: 30_000, jitter: 0.1, stableAfter: 10_000 },
        recovery: undefined,
        probing: { probes: 1, concurrent: 1, lease: undefined },
        observe: false,
        random: expect.any(Function) as () => number,
      },
    });
  });

  it('are made for rate limits with an errorHandler alone: the first-error rule', () => {
    expect(rules({ errorHandler: isFailure })).toMatchObject({
      trip: { firstError: true, failureThreshold: undefined, consecutiveFailures: undefined },
      cooldown: { base: 10_000, factor: 1, jitter: 0, max: 30_000 },
    });
  });

  it.each([{ failureThreshold: 0.2 }, { consecutiveFailures: 3 }])(
    'leave the other rule out where %j is given',
    (rule) => {
      const trip = { failureThreshold: undefined, consecutiveFailures: undefined, ...rule };
      expect(rules({ errorHandler: isFailure, ...rule }).trip).toMatchObject({
        firstError: false,
        ...trip,
      });
      expect(rules(rule).cooldown.base).toBe(1_000);
    },
  );

  it('take slowCallDuration beside whichever rule holds', () => {
    expect(rules({ errorHandler: isFailure, slowCallDuration: 100 }).trip).toMatchObject({
      firstError: true,
      slowCallThreshold: 0.5,
    });
    expect(rules({ slowCallDuration: 100, slowCallThreshold: 0.8 })).toMatchObject({
      slowCallDuration: 100,
      trip: { failureThreshold: 0.5, slowCallThreshold: 0.8 },
    });
  });

  it('follow windowSize in the minimum of calls', () => {
    expect(rules({ windowSize: 4 })).toMatchObject({
      window: { kind: 'count', size: 4 },
      trip: { minimumCalls: 4 },
    });
    expect(rules({ windowSize: 4, minimumCalls: 2 }).trip.minimumCalls).toBe(2);
    expect(rules({ windowDuration: 500 })).toMatchObject({
      window: { kind: 'time', duration: 500 },
      cooldown: { stableAfter: 500 },
    });
  });

  it('take timeout for cooldown, 0 for a value, and a long cooldown for its own cap', () => {
    expect(rules({ timeout: 5_000 }).cooldown.base).toBe(5_000);
    expect(rules({ cooldown: 0, maxCooldown: 0, cooldownJitter: 0 }).cooldown).toMatchObject({
      base: 0,
      max: 0,
      jitter: 0,
    });
    expect(rules({ cooldown: Infinity }).cooldown.max).toBe(Infinity);
    expect(rules({ cooldownFactor: 3 }).cooldown.factor).toBe(3);
  });

  it('recover by reason, unless halfOpen says otherwise', () => {
    expect(rules({ halfOpen: false })).toMatchObject({ recovery: 'clock', probing: { probes: 1 } });
    expect(rules({ halfOpen: {} })).toMatchObject({ recovery: 'probe', probing: { probes: 1 } });
    const probing = { probes: 3, concurrent: 2, lease: 5_000 };
    expect(rules({ halfOpen: probing })).toMatchObject({ recovery: 'probe', probing });
  });

  it('draw their chance from Math.random', () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.25);
    expect(rules().random()).toBe(0.25);
    random.mockRestore();
  });

  it('read what the server says, unless rateLimit is false', () => {
    expect(resolve({ rateLimit: false }).rateLimit).toBeUndefined();
    expect(resolve({ rateLimit: {} }).rateLimit).toEqual(resolve({}).rateLimit);
    const all = {
      minWait: 0,
      maxWait: 60_000,
      maxWaitOther: 5_000,
      jitter: 1,
      wait: () => 1,
      preempt: true,
      units: { 'Retry-After': 'ms', b: 's', c: 'epoch-s', d: 'epoch-ms' },
      headers: ['x-wait'],
    };
    expect(resolve({ rateLimit: all }).rateLimit).toEqual(all);
  });

  it('hold the wait that is stated with another status to maxCooldown', () => {
    expect(resolve({ maxCooldown: 5_000 }).rateLimit?.maxWaitOther).toBe(5_000);
    expect(resolve({ cooldown: 90_000 }).rateLimit?.maxWaitOther).toBe(90_000);
  });

  it('know observe mode', () => {
    expect(rules({ mode: 'observe' }).observe).toBe(true);
    expect(rules({ mode: 'enforce' }).observe).toBe(false);
  });
});

describe('what is given', () => {
  it('is never changed, and undefined counts as not given', () => {
    const options = Object.freeze({
      cooldown: undefined,
      name: undefined,
      halfOpen: Object.freeze({ probes: undefined }),
    });
    expect(resolve(options)).toMatchObject({
      name: 'default',
      rules: { cooldown: { base: 1_000 } },
    });
  });

  it('is not read from a polluted prototype', () => {
    Object.assign(Object.prototype, { cooldown: 7, name: 'polluted' });
    try {
      expect(resolve({})).toMatchObject({ name: 'default', rules: { cooldown: { base: 1_000 } } });
    } finally {
      Reflect.deleteProperty(Object.prototype, 'cooldown');
      Reflect.deleteProperty(Object.prototype, 'name');
    }
  });
});

describe('a bad value', () => {
  const milliseconds = 'a number of milliseconds, 0 or more';
  const positive = 'a number of milliseconds above 0';
  const finite = 'a finite number of milliseconds above 0';
  const share = 'a number above 0 and at most 1';
  const integer = 'an integer of at least 1';

  it.each([
    ['cooldown', milliseconds, [NaN, -1]],
    ['timeout', milliseconds, [NaN, -0.1]],
    ['maxCooldown', milliseconds, [NaN, -1]],
    ['failureThreshold', share, [0, 1.01, -1, NaN]],
    ['slowCallThreshold', share, [0, 2]],
    ['windowDuration', finite, [0, -1, NaN, Infinity]],
    ['windowSize', 'an integer from 1 to 1000000', [0, 1.5, 1_000_001, NaN, Infinity]],
    ['minimumCalls', integer, [0, 1.5, Infinity]],
    ['consecutiveFailures', integer, [0, -1, 2.5, NaN]],
    ['slowCallDuration', positive, [0, -1, NaN]],
    ['requestTimeout', positive, [0, -1, NaN]],
    ['maxConcurrent', integer, [0, 1.5, Infinity]],
    ['maxQueued', 'an integer, 0 or more', [-1, 0.5, Infinity]],
    ['maxQueueWait', positive, [0, NaN]],
    ['maxKeys', integer, [0, Infinity]],
    ['cooldownFactor', 'a finite number of at least 1', [0.9, NaN, Infinity]],
    ['cooldownJitter', 'a number from 0 to 1', [-0.1, 1.1, NaN]],
  ])('of %s is a RangeError that says: %s', (name, expected, values) => {
    for (const value of values) {
      expect(() => resolve({ [name]: value })).toThrow(
        new RangeError(`Expected \`${name}\` to be ${expected}, got ${value}`),
      );
    }
    for (const value of ['10', null, {}, []])
      expect(() => resolve({ [name]: value })).toThrow(TypeError);
  });

  it.each([
    ['name', '', RangeError, 'a string of 1 to 1000 characters, got ""'],
    ['name', 7, TypeError, 'a string of 1 to 1000 characters, got 7'],
    ['errorHandler', 'isFailure', TypeError, 'a function, got "isFailure"'],
    ['responseHandler', {}, TypeError, 'a function, got an object'],
    ['onFault', null, TypeError, 'a function, got null'],
    ['fallback', {}, TypeError, 'a function or a fallback, got an object'],
    ['fallback', null, TypeError, 'a function or a fallback, got null'],
    ['fallbackOn', 'error', RangeError, "'refusal' or 'failure', got \"error\""],
    ['key', 'host', TypeError, '\'origin\' or a function, got "host"'],
    ['mode', 'observer', RangeError, "'enforce' or 'observe', got \"observer\""],
    ['mode', true, TypeError, "'enforce' or 'observe', got true"],
    ['halfOpen', true, TypeError, 'false or an object, got true'],
    ['halfOpen', null, TypeError, 'false or an object, got null'],
    ['clock', {}, RangeError, 'an object with now, setTimeout and clearTimeout, got an object'],
    [
      'clock',
      Date.now,
      TypeError,
      'an object with now, setTimeout and clearTimeout, got a function',
    ],
    ['cooldown', 10n, TypeError, 'a number of milliseconds, 0 or more, got 10n'],
    [
      'cooldown',
      [1, 'a', Symbol('x')],
      TypeError,
      'a number of milliseconds, 0 or more, got [1, "a", a symbol]',
    ],
  ])('of %s, %p, is a %p', (name, value, ErrorType, text) => {
    expect(() => resolve({ [name]: value })).toThrow(
      new ErrorType(`Expected \`${name}\` to be ${text}`),
    );
    expect(() => resolve({ [name]: value })).toThrow(ErrorType);
  });

  it.each(['now', 'setTimeout', 'clearTimeout'])('of clock is one without %s', (part) => {
    expect(() => resolve({ clock: { ...systemClock, [part]: undefined } })).toThrow(RangeError);
  });

  it.each([
    [{ probes: 0 }, '`halfOpen.probes` to be an integer of at least 1, got 0'],
    [
      { concurrent: Infinity },
      '`halfOpen.concurrent` to be an integer of at least 1, got Infinity',
    ],
    [{ lease: 0 }, '`halfOpen.lease` to be a finite number of milliseconds above 0, got 0'],
  ])('of halfOpen, %j, names the part', (halfOpen, text) => {
    expect(() => resolve({ halfOpen })).toThrow(text);
  });

  it.each([
    ['minWait', milliseconds, [NaN, -1]],
    ['maxWait', finite, [0, -1, NaN, Infinity]],
    ['maxWaitOther', finite, [0, -1, NaN, Infinity]],
    ['jitter', 'a number from 0 to 1', [-0.1, 1.1, NaN]],
  ])('of rateLimit.%s is a RangeError that says: %s', (name, expected, values) => {
    for (const value of values) {
      expect(() => resolve({ rateLimit: { [name]: value } })).toThrow(
        new RangeError(`Expected \`rateLimit.${name}\` to be ${expected}, got ${value}`),
      );
    }
    for (const value of ['10', null, {}, []])
      expect(() => resolve({ rateLimit: { [name]: value } })).toThrow(TypeError);
  });

  const unit = 'an object of header names and units (s, ms, epoch-s, epoch-ms)';

  it.each([
    [true, TypeError, 'rateLimit', 'false or an object, got true'],
    [null, TypeError, 'rateLimit', 'false or an object, got null'],
    [{ wait: 5_000 }, TypeError, 'rateLimit.wait', 'a function, got 5000'],
    [{ wait: null }, TypeError, 'rateLimit.wait', 'a function, got null'],
    [{ preempt: 'yes' }, TypeError, 'rateLimit.preempt', 'true or false, got "yes"'],
    [{ preempt: 1 }, TypeError, 'rateLimit.preempt', 'true or false, got 1'],
    [{ units: 'ms' }, TypeError, 'rateLimit.units', `${unit}, got "ms"`],
    [{ units: null }, TypeError, 'rateLimit.units', `${unit}, got null`],
    [{ units: { reset: 'min' } }, RangeError, 'rateLimit.units', `${unit}, got an object`],
    [{ units: { reset: undefined } }, RangeError, 'rateLimit.units', `${unit}, got an object`],
    [{ headers: 'x-wait' }, TypeError, 'rateLimit.headers', 'a list of header names, got "x-wait"'],
    [{ headers: {} }, RangeError, 'rateLimit.headers', 'a list of header names, got an object'],
    [{ headers: [7] }, RangeError, 'rateLimit.headers', 'a list of header names, got [7]'],
  ])('of rateLimit, %j, is a %p that names %s', (rateLimit, ErrorType, name, text) => {
    const refuse = () => resolve({ rateLimit });
    expect(refuse).toThrow(ErrorType);
    expect(refuse).toThrow(new ErrorType(`Expected \`${name}\` to be ${text}`));
  });

  it.each([undefined, null, 7, 'options'])(
    'instead of the options, %p, is a TypeError',
    (options) => {
      expect(() => resolve(options as unknown as object)).toThrow(
        new TypeError(
          `Expected \`options\` to be an object, got ${typeof options === 'string' ? '"options"' : options}`,
        ),
      );
    },
  );

  it.each([
    [1, 1_000_000, Infinity],
    [0.0001, 1, 0.5],
  ])('is none of the bounds themselves', (...values) => {
    const [first, second] = values;
    const given =
      first === 1
        ? { windowSize: second, minimumCalls: first, cooldown: values[2] }
        : { failureThreshold: first, slowCallThreshold: second, cooldownJitter: 1 };
    expect(() => resolve(given)).not.toThrow();
  });
});

describe('options that do not go together', () => {
  it.each([
    [{ cooldown: 1, timeout: 2 }, 'Expected one of `cooldown` and `timeout`, got both: 1 and 2'],
    [
      { windowDuration: 1, windowSize: 2 },
      'Expected one of `windowDuration` and `windowSize`, got both: 1 and 2',
    ],
  ])('%j', (options, message) => {
    expect(() => resolve(options)).toThrow(new TypeError(message));
  });

  it.each(['cooldown', 'timeout'])('a cap of the cooldown below it: %s', (name) => {
    expect(() => resolve({ [name]: 100, maxCooldown: 99 })).toThrow(
      new RangeError('Expected `maxCooldown` to be at least cooldown (100), got 99'),
    );
    expect(() => resolve({ [name]: 100, maxCooldown: 100 })).not.toThrow();
  });

  it('a minimum of calls that the window cannot reach', () => {
    expect(() => resolve({ windowSize: 5, minimumCalls: 10 })).toThrow(
      new RangeError('Expected `minimumCalls` to be at most windowSize (5), got 10'),
    );
    expect(() => resolve({ windowSize: 5, minimumCalls: 5 })).not.toThrow();
  });
});

describe('an unknown option', () => {
  it.each([
    ['cooldownMs', 'cooldown'],
    ['timeoutMs', 'requestTimeout'],
    ['resetTimeout', 'cooldown'],
    ['errorThresholdPercentage', 'failureThreshold'],
    ['threshold', 'failureThreshold'],
    ['volumeThreshold', 'minimumCalls'],
    ['errorhandler', 'errorHandler'],
    ['failureTreshold', 'failureThreshold'],
    ['windowsize', 'windowSize'],
    ['toString', 'cooldown'],
    ['modes', 'mode'],
  ])('%s is a TypeError that names %s', (name, nearest) => {
    expect(() => resolve({ [name]: 1 })).toThrow(
      new TypeError(`Unknown option \`${name}\`. Did you mean \`${nearest}\`?`),
    );
  });

  it.each([
    ['maxwait', 'maxWait'],
    ['minWaitMs', 'minWait'],
    ['preemptive', 'preempt'],
    ['header', 'headers'],
  ])('of rateLimit, %s, names the nearest of its own', (name, nearest) => {
    expect(() => resolve({ rateLimit: { [name]: 1 } })).toThrow(
      new TypeError(`Unknown option \`rateLimit.${name}\`. Did you mean \`rateLimit.${nearest}\`?`),
    );
  });

  it('of halfOpen names the nearest of its own', () => {
    expect(() => resolve({ halfOpen: { probe: 1 } })).toThrow(
      new TypeError('Unknown option `halfOpen.probe`. Did you mean `halfOpen.probes`?'),
    );
    expect(() => resolve({ halfOpen: { timeoutMs: 1 } })).toThrow(
      /Did you mean `halfOpen\.(probes|concurrent|lease)`/,
    );
  });
});
