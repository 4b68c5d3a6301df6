import { needs } from '../support/needs.js';
import { startRedisServer, type RedisServer } from '../support/redis-server.js';
import { pack, place, type Consumer } from './consumer.js';

jest.setTimeout(60_000);

/** Two breakers in one process, each with a client of its own; a rate limit of the one opens the other. */
const share = `
const adapter = async (config) => ({
  status: 429, headers: { 'retry-after': '60' }, data: '', config,
});
const url = process.argv[2];
const clients = [createClient({ url }), createClient({ url })];
const [one, other] = clients.map((client) => {
  const http = axios.create({ adapter, validateStatus: () => true });
  const breaker = new CircuitBreakerWithEmitter(http, { name: 'orders', shared: redisState(client) });
  return { http, breaker };
});
other.breaker.on('OPEN', ({ reason }) => {
  console.log(JSON.stringify(reason));
  for (const client of clients) client.destroy();
});
Promise.all(clients.map((client) => client.on('error', () => {}).connect()))
  .then(() => one.http.get('/'));
`;

const loads = {
  'import.mjs': `
import axios from 'axios';
import { createClient } from 'redis';
import { CircuitBreakerWithEmitter } from 'axios-circuit-guard';
import { redisState } from 'axios-circuit-guard/redis';
${share}`,
  'require.cjs': `
const axios = require('axios');
const { createClient } = require('redis');
const { CircuitBreakerWithEmitter } = require('axios-circuit-guard');
const { redisState } = require('axios-circuit-guard/redis');
${share}`,
  'both.cjs': `
const axios = require('axios');
const { createClient } = require('redis');
const { CircuitBreakerWithEmitter } = require('axios-circuit-guard');
import('axios-circuit-guard/redis').then(({ redisState }) => {
${share}
});`,
};

needs('redis-server')('the packed axios-circuit-guard/redis', () => {
  let consumer: Consumer;
  let server: RedisServer;
  beforeAll(async () => {
    const packed = await pack();
    consumer = await place(packed, 'axios', 'redis');
    await packed.remove();
    server = await startRedisServer();
  });
  afterAll(async () => {
    await consumer.remove();
    await server.stop();
  });

  it.each(Object.entries(loads))('shares in plain node, loaded as in %s', async (file, code) => {
    await consumer.write(file, code);
    expect(JSON.parse(await consumer.node(file, server.url))).toBe('shared');
  });
});
