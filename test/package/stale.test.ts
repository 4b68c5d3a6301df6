import { pack, place, type Consumer, type Packed } from './consumer.js';

jest.setTimeout(60_000);

const load = {
  import: `
import axios from 'axios';
import { CircuitBreaker } from 'axios-circuit-guard';
import { serveStale } from 'axios-circuit-guard/stale';
`,
  require: `
const axios = require('axios');
const { CircuitBreaker } = require('axios-circuit-guard');
const { serveStale } = require('axios-circuit-guard/stale');
`,
};

/** One answer of a server in memory, and what two users get of it while the breaker is open. */
const askTwice = `
const adapter = async (config) => ({ status: 200, headers: {}, data: 'kept', config });
const client = axios.create({ adapter });
const breaker = new CircuitBreaker(client, { fallback: serveStale() });
const ask = async (Authorization) => {
  const { data, fallback } = await client.get('/', { headers: { Authorization } });
  return [data, fallback];
};
ask('alice').then(async () => {
  breaker.open();
  const bob = await ask('bob').catch(({ name }) => name);
  console.log(JSON.stringify({ alice: await ask('alice'), bob }));
});
`;

describe('the packed axios-circuit-guard/stale', () => {
  let packed: Packed;
  beforeAll(async () => void (packed = await pack()));
  afterAll(() => packed.remove());

  describe.each(['axios', 'axios-0.27.2'])('next to %s', (axios) => {
    let consumer: Consumer;
    beforeAll(async () => void (consumer = await place(packed, axios)));
    afterAll(() => consumer.remove());

    it.each([
      ['import', 'stale.mjs'],
      ['require', 'stale.cjs'],
    ] as const)('serves what it kept when loaded by %s', async (statement, file) => {
      await consumer.write(file, `${load[statement]}${askTwice}`);
      const printed: unknown = JSON.parse(await consumer.node(file));
      expect(printed).toEqual({ alice: ['kept', 'stale'], bob: 'BreakerOpenError' });
    });
  });
});
