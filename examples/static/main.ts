import axios from 'axios';
import { CircuitBreakerWithEmitter, staticFallback } from '../../src/index.js';
import { startTestServer } from '../../test-server/start.js';

interface Flags {
  readonly newCheckout: boolean;
  readonly darkMode: boolean;
}

console.log(
  'An application reads its feature flags. Where nobody can say, it takes the safe ones.\n',
);

const server = await startTestServer();
server.script('/flags', [{ body: { newCheckout: true, darkMode: true } }, 503, 503]);

const client = axios.create({ baseURL: server.url });
const breaker = new CircuitBreakerWithEmitter(client, {
  consecutiveFailures: 2,
  cooldown: 10_000,
  fallback: staticFallback({ newCheckout: false, darkMode: false }),
  fallbackOn: 'failure',
});
breaker.on('OPEN', () => console.log('   -- OPEN: nobody asks the server any more'));

for (let visitor = 1; visitor <= 6; visitor += 1) {
  const { data, fallback } = await client.get<Flags>('/flags');
  const checkout = data.newCheckout ? 'new' : 'old';
  const theme = data.darkMode ? 'dark' : 'light';
  console.log(`visitor ${visitor}: ${checkout} checkout, ${theme} (${fallback ?? 'server'})`);
}

console.log(`\nNo visitor met an error, and the server was asked ${server.hits()} times for 6.`);

breaker.detach();
await server.close();
