import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import express from 'express';
import { Registry } from 'prom-client';
import { CircuitBreaker } from '../../src/index.js';
import { exportMetrics } from '../../src/prometheus/index.js';
import { ManualClock } from '../../src/testing/index.js';
import { startTestServer, type TestServer } from '../../test-server/start.js';

/** Real requests to a real server, and the metrics of the breaker between them. */
export interface Traffic {
  /** The API that was asked: `/fine`, `/broken` and `/limited`. */
  readonly server: TestServer;
  /** How often each path was asked for. */
  readonly asked: Record<string, number>;
  readonly breaker: CircuitBreaker;
  readonly clock: ManualClock;
  readonly get: (path: string, count?: number) => Promise<void>;
  /** What Prometheus would get over HTTP. */
  readonly scrape: () => Promise<{ readonly type: string | null; readonly text: string }>;
  readonly close: () => Promise<void>;
}

export async function startTraffic(): Promise<Traffic> {
  const server = await startTestServer();
  server.script('/broken', [503]);
  server.script('/limited', [{ status: 429, headers: { 'retry-after': '30' } }]);
  const client = axios.create({ baseURL: server.url });
  const clock = new ManualClock();
  const breaker = new CircuitBreaker(client, {
    name: 'api',
    key: ({ url }) => String(url),
    consecutiveFailures: 5,
    cooldownJitter: 0,
    clock,
  });
  const registry = new Registry();
  exportMetrics(breaker, { registry });
  const metrics = await serveMetrics(registry);

  const asked: Record<string, number> = {};
  const get = async (path: string, count = 1) => {
    asked[path] = (asked[path] ?? 0) + count;
    for (let sent = 0; sent < count; sent += 1) await client.get(path).catch(() => undefined);
  };
  const scrape = async () => {
    const response = await fetch(metrics.url);
    return { type: response.headers.get('content-type'), text: await response.text() };
  };
  const close = async () => {
    breaker.detach();
    await metrics.close();
    await server.close();
  };
  return { server, asked, breaker, clock, get, scrape, close };
}

async function serveMetrics(registry: Registry) {
  const app = express();
  app.get('/metrics', async (_request, response) => {
    response.set('content-type', registry.contentType).send(await registry.metrics());
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/metrics`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
