import manifest from '../../package.json' with { type: 'json' };

/** What can be imported of the package. */
const entries = Object.keys(manifest.exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace('.', manifest.name));

/** Opens on a 429, refuses, closes by the clock, and lets go; leaves a breaker open, which must keep nobody. */
const behave = `
async function behave(axios, { CircuitBreakerWithEmitter }, { ManualClock }) {
  let status = 429;
  let hits = 0;
  const server = createServer((_request, response) => {
    hits += 1;
    response.writeHead(status, { connection: 'close' }).end();
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const baseURL = 'http://127.0.0.1:' + server.address().port;
  const told = [];
  const start = (options) => {
    const client = axios.create({ baseURL, proxy: false });
    const errorHandler = (error) => error.response?.status === 429;
    const breaker = new CircuitBreakerWithEmitter(client, { errorHandler, ...options });
    const get = () => client.get('/').then(({ status }) => status, ({ name }) => name);
    return { breaker, get };
  };
  const clock = new ManualClock();
  const { breaker, get } = start({ timeout: 10_000, clock });
  breaker.on('OPEN', () => told.push('OPEN')).on('CLOSE', () => told.push('CLOSE'));
  told.push(await get(), await get());
  clock.advance(10_000);
  status = 200;
  told.push(await get());
  breaker.open();
  if (Symbol.dispose) breaker[Symbol.dispose]();
  else breaker.detach();
  told.push(await get(), hits);

  status = 429;
  const real = start({ timeout: 3_600_000, requestTimeout: 3_600_000 });
  told.push(await real.get(), await real.get(), real.breaker.getState());
  server.close();
  return told;
}
`;

/** What it tells. */
const told = [
  'OPEN',
  'AxiosError',
  'BreakerOpenError',
  'CLOSE',
  200,
  'OPEN',
  200,
  3,
  'AxiosError',
  'BreakerOpenError',
  'open',
];

const print = `
async function print(axios, entries) {
  const [guard] = entries;
  const testing = entries.find((entry) => entry.ManualClock);
  const names = entries.map((entry) => Object.keys(entry).length > 0);
  console.log(JSON.stringify({ told: await behave(axios, guard, testing), names }));
}
`;

const names = entries.map((_, index) => `entry${index}`);

/** What they print. */
export const printed = { told, names: entries.map(() => true) };

/** Loads every entry, and prints what comes of it; in plain JavaScript, by either statement. */
export const programs = {
  import: `
import { createServer } from 'node:http';
import axios from 'axios';
${entries.map((entry, index) => `import * as ${names[index]} from '${entry}';`).join('\n')}
${behave}${print}
print(axios, [${names.join(', ')}]);
`,
  require: `
const { createServer } = require('node:http');
const axios = require('axios');
${entries.map((entry, index) => `const ${names[index]} = require('${entry}');`).join('\n')}
${behave}${print}
print(axios, [${names.join(', ')}]);
`,
};

/** The same as a test of Jest, as a consumer in CommonJS has it. */
export const jestTest = `
const { createServer } = require('node:http');
const axios = require('axios');
const guard = require('${manifest.name}');
const testing = require('${manifest.name}/testing');
${behave}
test('opens, refuses and closes', async () => {
  expect(await behave(axios, guard, testing)).toEqual(${JSON.stringify(told)});
});
`;

/** What a page has no Node for; it prints what a breaker of its own made of one failing call. */
export const pageScript = `
import axios from 'axios';
import { CircuitBreaker, isBreakerOpenError } from '${manifest.name}';
import { serveStale } from '${manifest.name}/stale';
import { ManualClock } from '${manifest.name}/testing';

const client = axios.create({ adapter: () => Promise.reject(new Error('down')) });
const options = { errorHandler: () => true, cooldown: 1, fallback: serveStale() };
const clock = new ManualClock();
const breaker = new CircuitBreaker(client, { ...options, clock });
// A bundle may be sloppy code, where to write to what is frozen is no error.
client.interceptors.request.use(Object.freeze);
const get = () => client.get('/').catch((error) => error);
get().then(async ({ message }) => {
  const isRefused = isBreakerOpenError(await get());
  clock.advance(1);
  print(JSON.stringify([message, isRefused, breaker.getState()]));
});
`;
