import type { Meter } from '@opentelemetry/api';

/** In seconds. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The instruments of a meter; the same ones where it has them already. */
export function createInstruments(meter: Meter) {
  return {
    durations: meter.createHistogram('axios.circuit.exchange.duration', {
      description: 'Duration of exchanges, by what they said about the server.',
      unit: 's',
      advice: { explicitBucketBoundaries: buckets },
    }),
    observed: {
      state: meter.createObservableGauge('axios.circuit.state', {
        description: '1 for the state that the circuit is in, 0 for the others.',
        unit: '1',
      }),
      stateCode: meter.createObservableGauge('axios.circuit.state.code', {
        description: '-1 disabled, 0 closed, 1 half-open, 2 open, 3 forced-open.',
        unit: '1',
      }),
      failureRatio: meter.createObservableGauge('axios.circuit.failure.ratio', {
        description: 'Share of failed calls in the current window, 0 when it is empty.',
        unit: '1',
      }),
      slowRatio: meter.createObservableGauge('axios.circuit.slow.ratio', {
        description: 'Share of slow calls in the current window, 0 when it is empty.',
        unit: '1',
      }),
      retryAfter: meter.createObservableGauge('axios.circuit.retry_after', {
        description: 'Time until the next request may be sent.',
        unit: 's',
      }),
      inFlight: meter.createObservableUpDownCounter('axios.circuit.exchange.active', {
        description: 'Exchanges under way.',
        unit: '{exchange}',
      }),
      queued: meter.createObservableUpDownCounter('axios.circuit.request.queued', {
        description: 'Requests that wait: for a place, or for the circuit to close.',
        unit: '{request}',
      }),
      refused: meter.createObservableCounter('axios.circuit.request.refused', {
        description: 'Requests that were not sent, by the state of the circuit and why.',
        unit: '{request}',
      }),
      transitions: meter.createObservableCounter('axios.circuit.transition', {
        description: 'Changes of state, by the states and why.',
        unit: '{transition}',
      }),
    },
  };
}

export type Instruments = ReturnType<typeof createInstruments>;
