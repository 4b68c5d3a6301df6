import { context, metrics, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import axios from 'axios';
import { CircuitBreaker, FunctionBreaker, type CircuitBreakerOptions } from '../../src/index.js';
import { exportTelemetry, type TelemetryOptions } from '../../src/opentelemetry/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';
import { outcome } from '../support/rig.js';

/** The real SDK, with what it would export kept in memory. */
function createSdk(temporality = AggregationTemporality.CUMULATIVE) {
  const exporter = new InMemoryMetricExporter(temporality);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: 3_600_000,
    exportTimeoutMillis: 1_000,
  });
  const provider = new MeterProvider({ readers: [reader] });
  const collect = async () => {
    exporter.reset();
    await reader.forceFlush();
    return exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap((scope) => scope.metrics);
  };
  return { meter: provider.getMeter('test'), provider, collect };
}

/** The series of a metric: what its attributes are, after `axios.circuit.`, and its value. */
function seriesOf(all: readonly MetricData[], name: string): [string, unknown][] {
  const metric = all.find(({ descriptor }) => descriptor.name === `axios.circuit.${name}`);
  return (metric?.dataPoints ?? []).map(({ attributes, value }) => [
    Object.values(attributes).join(' '),
    typeof value === 'object' ? value.count : value,
  ]);
}

const countOf = (all: readonly MetricData[]) =>
  all.reduce((sum, { dataPoints }) => sum + dataPoints.length, 0);

describe('the telemetry of a breaker', () => {
  let server: TestServer;
  const stops: (() => unknown)[] = [];
  beforeEach(async () => void (server = await startTestServer()));
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await server.close();
  });

  function setUp(
    options: CircuitBreakerOptions = {},
    telemetry: TelemetryOptions = {},
    temporality?: AggregationTemporality,
  ) {
    const { meter, provider, collect } = createSdk(temporality);
    const client = axios.create({ baseURL: server.url });
    const breaker = new CircuitBreaker(client, {
      name: 'orders',
      consecutiveFailures: 2,
      cooldown: 60_000,
      cooldownJitter: 0,
      ...options,
    });
    const stop = exportTelemetry(breaker, { meter, ...telemetry });
    stops.push(stop, () => provider.shutdown());
    return { client, breaker, collect, stop };
  }

  it("agrees with the server's own counts", async () => {
    const { client, collect } = setUp();
    for (const path of [
      '/status/200',
      '/status/404',
      '/status/503',
      '/status/503',
      '/status/200',
    ]) {
      await outcome(client.get(path));
    }
    const all = await collect();
    expect(seriesOf(all, 'exchange.duration')).toEqual([
      ['orders success', 2],
      ['orders failure', 2],
    ]);
    expect(server.hits()).toBe(4);
    expect(seriesOf(all, 'request.refused')).toEqual([['orders default open consecutive', 1]]);
    expect(seriesOf(all, 'transition')).toEqual([['orders default closed open consecutive', 1]]);
    expect(seriesOf(all, 'state')).toEqual([
      ['orders default disabled', 0],
      ['orders default closed', 0],
      ['orders default half-open', 0],
      ['orders default open', 1],
      ['orders default forced-open', 0],
    ]);
    expect(seriesOf(all, 'state.code')).toEqual([['orders default', 2]]);
    expect(seriesOf(all, 'exchange.active')).toEqual([['orders default', 0]]);
    expect(seriesOf(all, 'request.queued')).toEqual([['orders default', 0]]);
    const [[, seconds]] = seriesOf(all, 'retry_after') as [[string, number]];
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('reads the shares of the window when it is asked', async () => {
    const { client, collect } = setUp({ consecutiveFailures: 99 });
    for (const path of ['/status/200', '/status/503', '/status/503', '/status/503']) {
      await outcome(client.get(path));
    }
    const all = await collect();
    expect(seriesOf(all, 'failure.ratio')).toEqual([['orders default', 0.75]]);
    expect(seriesOf(all, 'slow.ratio')).toEqual([['orders default', 0]]);
  });

  it('counts seconds, by bounds that fit', async () => {
    const { client, collect } = setUp();
    server.script('/slow', [{ delay: 60 }]);
    await client.get('/slow');
    const all = await collect();
    const metric = all.find(({ descriptor }) => descriptor.name.endsWith('exchange.duration'));
    expect(metric).toMatchObject({
      descriptor: { unit: 's' },
      dataPointType: DataPointType.HISTOGRAM,
    });
    const [{ value }] = metric?.dataPoints as unknown as [
      { value: { sum: number; buckets: { boundaries: number[] } } },
    ];
    expect(value.sum).toBeGreaterThanOrEqual(0.06);
    expect(value.sum).toBeLessThan(5);
    expect(value.buckets.boundaries[0]).toBe(0.01);
  });

  it('follows commands, and says where each came from', async () => {
    const { breaker, collect } = setUp();
    breaker.open();
    breaker.disable();
    breaker.close();
    const all = await collect();
    expect(seriesOf(all, 'transition')).toEqual([
      ['orders default closed forced-open manual', 1],
      ['orders default forced-open disabled manual', 1],
    ]);
  });

  // What was once collected, the SDK itself repeats for ever where figures are cumulative.
  const { DELTA } = AggregationTemporality;

  it('is as large as before when a thousand keys have come and gone', async () => {
    const options: CircuitBreakerOptions = {
      key: ({ url }) => String(url),
      maxKeys: 10,
      consecutiveFailures: 1,
      halfOpen: false,
      cooldown: 1,
    };
    const { client, collect, breaker } = setUp(options, {}, DELTA);
    const adapter = (config: { url?: string }) =>
      Promise.reject(Object.assign(new Error('down'), { config }));
    const ask = async (from: number, to: number) => {
      for (let key = from; key < to; key += 1) {
        await outcome(client.get(`/${key}`, { adapter: adapter as never }));
        await outcome(client.get(`/${key}`, { adapter: adapter as never }));
      }
    };
    await ask(0, 10);
    const before = countOf(await collect());
    await ask(10, 1_010);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await ask(1_010, 1_020);
    expect(breaker.keys().length).toBeLessThanOrEqual(11);
    const after = await collect();
    expect(countOf(after)).toBeLessThanOrEqual(before * 1.2);
    const known = new Set(breaker.keys());
    for (const [series] of seriesOf(after, 'transition')) {
      expect(known).toContain(series.split(' ')[1]);
    }
  });

  it('shows several breakers, and calls of functions', async () => {
    const { collect } = setUp();
    const { meter, provider, collect: collectBoth } = createSdk();
    const one = new FunctionBreaker(() => Promise.resolve(1), { name: 'one' });
    const two = new FunctionBreaker(() => Promise.reject(new Error('down')), { name: 'two' });
    stops.push(exportTelemetry([one, two], { meter }), () => provider.shutdown());
    await one.call();
    await outcome(two.call());
    expect(seriesOf(await collectBoth(), 'exchange.duration')).toEqual([
      ['one success', 1],
      ['two failure', 1],
    ]);
    expect(seriesOf(await collect(), 'exchange.duration')).toEqual([]);
  });

  it('ends when it is told so, and with the breaker', async () => {
    const { collect, stop } = setUp({}, {}, DELTA);
    expect(countOf(await collect())).toBeGreaterThan(5);
    stop();
    stop();
    expect(countOf(await collect())).toBe(0);

    const other = setUp({}, {}, DELTA);
    other.breaker.detach();
    expect(countOf(await other.collect())).toBe(0);
  });

  it('goes to the global meter where none is given', async () => {
    const { provider, collect } = createSdk();
    metrics.setGlobalMeterProvider(provider);
    const breaker = new FunctionBreaker(() => Promise.resolve(1), { name: 'one' });
    stops.push(exportTelemetry(breaker), () => provider.shutdown());
    expect(seriesOf(await collect(), 'state.code')).toEqual([['one default', 0]]);
    metrics.disable();
  });

  it('marks nothing on a span that is over', async () => {
    const spans = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const span = provider.getTracer('test').startSpan('call');
    span.end();
    const { breaker } = setUp();
    const added = jest.spyOn(span, 'addEvent');
    context.with(trace.setSpan(context.active(), span), () => breaker.open());
    expect(added).not.toHaveBeenCalled();
    context.disable();
    await provider.shutdown();
  });

  it.each([
    [undefined, 1],
    [true, 1],
    [false, 0],
  ])('marks a change of state on the span that is active: %p', async (spanEvents, expected) => {
    const spans = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const tracer = provider.getTracer('test');
    const { client, breaker } = setUp({ consecutiveFailures: 1 }, { spanEvents });
    await context.with(trace.setSpan(context.active(), tracer.startSpan('call')), async () => {
      await outcome(client.get('/status/503'));
      trace.getActiveSpan()?.end();
    });
    breaker.close();
    const [span] = spans.getFinishedSpans();
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual(
      Array.from({ length: expected }, () => [
        'axios.circuit.transition',
        {
          'axios.circuit.breaker': 'orders',
          'axios.circuit.key': 'default',
          'axios.circuit.transition.from': 'closed',
          'axios.circuit.transition.to': 'open',
          'axios.circuit.reason': 'consecutive',
        },
      ]),
    );
    context.disable();
    await provider.shutdown();
  });
});

describe('exportTelemetry', () => {
  const breaker = new FunctionBreaker(() => Promise.resolve(1));

  it('shows no two breakers of one name: one would hide the other', () => {
    const other = new FunctionBreaker(() => Promise.resolve(2));
    expect(() => exportTelemetry([breaker, other])).toThrow(
      new Error('Expected breakers of different names, got "default" twice'),
    );
  });

  it.each([
    [{}, {}, 'Expected `breakers` to be a circuit breaker or a list of them, got an object'],
    [
      [breaker, null],
      {},
      'Expected `breakers` to be a circuit breaker or a list of them, got null',
    ],
    [breaker, null, 'Expected `options` to be an object, got null'],
    [breaker, { meter: 1 }, 'Expected `meter` to be a meter of OpenTelemetry, got 1'],
    [breaker, { meters: 1 }, 'Unknown option `meters`. Did you mean `meter`?'],
    [breaker, { spanEvents: 1 }, 'Expected `spanEvents` to be true or false, got 1'],
  ])('checks what it is given: %#', (breakers, options, message) => {
    expect(() => exportTelemetry(breakers as never, options as never)).toThrow(
      new TypeError(message),
    );
  });
});
