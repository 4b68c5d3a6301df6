import { Counter, Registry } from 'prom-client';
import { exportMetrics, type MetricsOptions } from '../../src/prometheus/index.js';
import { createBreaker, exported, namesOn } from './set-up.js';

describe('exportMetrics refuses', () => {
  const { breaker } = createBreaker();
  const call = (options: unknown, what: unknown = breaker) =>
    exportMetrics(what as typeof breaker, options as MetricsOptions);
  const registry = new Registry();

  it.each<[string, unknown, Error]>([
    ['no options', undefined, new TypeError('Expected `options` to be an object, got undefined')],
    [
      'no registry',
      {},
      new TypeError('Expected `registry` to be a registry of prom-client, got undefined'),
    ],
    [
      'something else for a registry',
      { registry: 'default' },
      new TypeError('Expected `registry` to be a registry of prom-client, got "default"'),
    ],
    [
      'an object that is no registry',
      { registry: {} },
      new RangeError('Expected `registry` to be a registry of prom-client, got an object'),
    ],
    [
      'a prefix that no name can begin with',
      { registry, prefix: '2nd-' },
      new RangeError('Expected `prefix` to be the beginning of a metric name, got "2nd-"'),
    ],
    [
      'a prefix that is no text',
      { registry, prefix: 7 },
      new TypeError('Expected `prefix` to be the beginning of a metric name, got 7'),
    ],
    [
      'a misspelt option',
      { registry, bucket: [1] },
      new TypeError('Unknown option `bucket`. Did you mean `buckets`?'),
    ],
  ])('%s', (_what, options, error) => {
    expect(() => call(options)).toThrow(error);
  });

  it.each([[[]], [[1, 1]], [[0, 1]], [[2, 1]], [[1, Infinity]], [[1, '2']], [[NaN]]])(
    'the buckets %j',
    (buckets) => {
      expect(() => call({ registry, buckets })).toThrow(
        /^Expected `buckets` to be a list of rising numbers of seconds above 0, got \[/,
      );
    },
  );

  it.each([[null], [{}], ['orders'], [[{}]]])('%j for a breaker', (what) => {
    expect(() => call({ registry }, what)).toThrow(
      /^Expected `breakers` to be a circuit breaker or a list of them, got /,
    );
  });

  it('two breakers of one name on one registry', () => {
    const { registry } = exported(createBreaker().breaker);
    const error = new Error(
      'Expected breakers of different names on one registry, got "orders" twice',
    );
    expect(() => exported(createBreaker().breaker, { registry })).toThrow(error);
    const twins = [createBreaker({ name: 'twin' }), createBreaker({ name: 'twin' })];
    expect(() =>
      exportMetrics(
        twins.map(({ breaker }) => breaker),
        { registry },
      ),
    ).toThrow('"twin"');
    expect(() => exported(createBreaker().breaker, { registry, prefix: 'other_' })).not.toThrow();
  });

  it('other buckets for a further breaker', () => {
    const { registry } = exported(createBreaker().breaker, { buckets: [1, 2] });
    const { breaker } = createBreaker({ name: 'bills' });
    expect(() => exported(breaker, { registry, buckets: [1, 3] })).toThrow(
      new RangeError('Expected `buckets` to be those that the registry has: [1, 2], got [1, 3]'),
    );
    expect(() => exported(breaker, { registry, buckets: [1, 2] })).not.toThrow();
  });

  it('a name that another metric has, and then leaves nothing behind', () => {
    const registry = new Registry();
    new Counter({ name: 'axios_circuit_transitions_total', help: 'Mine.', registers: [registry] });
    expect(() => exported(breaker, { registry })).toThrow(
      'The registry has another metric `axios_circuit_transitions_total`: use another `prefix`',
    );
    expect(namesOn(registry)).toEqual(['axios_circuit_transitions_total']);
  });

  it('leave nothing behind', () => {
    expect(namesOn(registry)).toEqual([]);
  });
});
