import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp, type TestApp, type TestAppOptions } from './app.js';

export interface TestServer extends TestApp {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Destroys the open sockets too. */
  readonly close: () => Promise<void>;
}

/** @param wantedPort - 0, the default, takes any free port. */
export async function startTestServer(
  wantedPort = 0,
  options?: TestAppOptions,
): Promise<TestServer> {
  const testApp = createApp(options);
  const server = createServer(testApp.app);
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    ...testApp,
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
