import { pack, place, type Consumer } from './consumer.js';

jest.setTimeout(60_000);

const show = `
const client = axios.create({ adapter: () => Promise.reject(new Error('down')) });
const breaker = new CircuitBreaker(client, { name: 'orders', errorHandler: () => true });
const token = 'a-token-for-tests';
const page = statusPage([breaker], { control: true, token });
const server = createServer(page).listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  await client.get('/').catch(() => undefined);
  const { circuits } = await (await fetch(url + '/snapshot.json')).json();
  const [, script] = /<script [^>]*>([^]*)<\\/script>/.exec(await (await fetch(url)).text());
  const headers = { 'content-type': 'application/json', 'x-status-token': token };
  const body = JSON.stringify({ breaker: 'orders', command: 'close' });
  const { status } = await fetch(url + '/command', { method: 'POST', headers, body });
  console.log(JSON.stringify([circuits[0].state, status, breaker.getState(), typeof new Function(script)]));
  page.close();
  server.close();
  server.closeAllConnections();
});
`;

const loads = {
  'import.mjs': `
import { createServer } from 'node:http';
import axios from 'axios';
import { CircuitBreaker } from 'axios-circuit-guard';
import { statusPage } from 'axios-circuit-guard/status';
${show}`,
  'require.cjs': `
const { createServer } = require('node:http');
const axios = require('axios');
const { CircuitBreaker } = require('axios-circuit-guard');
const { statusPage } = require('axios-circuit-guard/status');
${show}`,
  // Each from another build: what they have in common is no class.
  'both.cjs': `
const { createServer } = require('node:http');
const axios = require('axios');
const { CircuitBreaker } = require('axios-circuit-guard');
import('axios-circuit-guard/status').then(({ statusPage }) => {
${show}
});`,
};

describe('the status page of the packed package', () => {
  let consumer: Consumer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await place(packed, 'axios');
    await packed.remove();
  });
  afterAll(() => consumer.remove());

  it.each(Object.entries(loads))('works in plain node, loaded as in %s', async (file, code) => {
    await consumer.write(file, code);
    const told: unknown = JSON.parse(await consumer.node(file));
    expect(told).toEqual(['open', 200, 'closed', 'function']);
  });
});
