/** One failing call opens a breaker, a second is refused; in plain JavaScript for any module format. */
const openAndRefuse = `
async function openAndRefuse(axios, { CircuitBreaker }, { ManualClock }) {
  const { createServer } = await import('node:http');
  let hits = 0;
  const server = createServer((_request, response) => {
    hits += 1;
    response.writeHead(503, { connection: 'close' }).end();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const client = axios.create({ baseURL: 'http://127.0.0.1:' + server.address().port, proxy: false });
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(client, { consecutiveFailures: 1, cooldown: 1, clock });
  const failed = await client.get('/').catch((error) => error);
  const refused = await client.get('/').catch((error) => error);
  const state = breaker.getState();
  clock.advance(1);
  server.close();
  return { refused, told: [failed.response?.status, state, breaker.getState(), hits] };
}
`;

/** What `told` is when all went well. */
export const told = [503, 'open', 'half-open', 1];

const load = {
  import: `
import axios from 'axios';
import * as guard from 'axios-circuit-guard';
import * as testing from 'axios-circuit-guard/testing';
`,
  require: `
const axios = require('axios');
const guard = require('axios-circuit-guard');
const testing = require('axios-circuit-guard/testing');
`,
};

/** Loads the package by that statement, and prints what came of it. */
export const loadedBy = (statement: keyof typeof load): string => `${load[statement]}
${openAndRefuse}
openAndRefuse(axios, guard, testing).then(({ refused, told }) => {
  const recognised = guard.isBreakerOpenError(refused);
  console.log(JSON.stringify({ told, recognised, isCancel: axios.isCancel(refused) }));
});
`;

/** Loads both builds and both builds of axios at once, and prints what came of each pair. */
export const loadedByBoth = `${load.require}
${openAndRefuse}
async function main() {
  const builds = [
    { axios, guard, testing },
    {
      axios: (await import('axios')).default,
      guard: await import('axios-circuit-guard'),
      testing: await import('axios-circuit-guard/testing'),
    },
  ];
  const pairs = builds.flatMap(({ axios }) => builds.map((build) => ({ ...build, axios })));
  const results = [];
  for (const { axios, guard, testing } of pairs) {
    const { refused, told } = await openAndRefuse(axios, guard, testing);
    results.push({
      told,
      recognised: builds.map((build) => build.guard.isBreakerOpenError(refused)),
      isCancel: builds.map((build) => build.axios.isCancel(refused)),
      instanceOf: builds.filter((build) => refused instanceof build.guard.BreakerOpenError).length,
    });
  }
  console.log(JSON.stringify(results));
}
main();
`;

const loadMetrics = {
  import: `${load.import}
import { exportMetrics } from 'axios-circuit-guard/prometheus';
import { Registry, register } from 'prom-client';
`,
  require: `${load.require}
const { exportMetrics } = require('axios-circuit-guard/prometheus');
const { Registry, register } = require('prom-client');
`,
};

/** Exports a breaker to a registry, and prints its state and what is on the default registry. */
export const exportedBy = (statement: keyof typeof load): string => `${loadMetrics[statement]}
const registry = new Registry();
const breaker = new guard.CircuitBreaker(axios.create(), { name: 'orders' });
exportMetrics(breaker, { registry });
breaker.open();
Promise.all([registry.getSingleMetricAsString('axios_circuit_state_code'), register.metrics()]).then(
  ([state, others]) => console.log(JSON.stringify([state.split('\\n').at(-1), others.trim()])),
);
`;

const loadQueue = {
  import: `${load.import}
import { replay } from 'axios-circuit-guard/bullmq';
import { RateLimitError } from 'bullmq';
`,
  require: `${load.require}
const { replay } = require('axios-circuit-guard/bullmq');
const { RateLimitError } = require('bullmq');
`,
};

/** Replays a request that the breaker refuses, and prints for how long the queue is paused and by what. */
export const replayedBy = (statement: keyof typeof load): string => `${loadQueue[statement]}
const client = axios.create({ baseURL: 'https://api.example.com' });
new guard.CircuitBreaker(client).open();
let paused;
const queue = { rateLimit: async (ms) => void (paused = ms) };
const data = { method: 'POST', url: '/orders', headers: { 'idempotency-key': 'k-1' } };
replay(client, { queue })({ data }).catch((error) =>
  console.log(JSON.stringify([paused, error instanceof RateLimitError])),
);
`;
