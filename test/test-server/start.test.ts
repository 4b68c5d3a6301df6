import { spawn } from 'node:child_process';
import { once } from 'node:events';
import request from 'supertest';
import { createApp } from '../../test-server/app.js';
import { startTestServer } from '../../test-server/start.js';
import { exchange, until } from './exchange.js';

describe('two apps', () => {
  it('share no counter, script or log', async () => {
    const [one, other] = [createApp(), createApp()];
    one.script('/orders', [503]);
    await request(one.app).get('/test/').expect(200, { request: 1, message: 'OK' });
    await request(one.app).get('/orders').expect(503);

    expect(other.hits()).toBe(0);
    expect(other.requests()).toEqual([]);
    await request(other.app).get('/test/').expect(200, { request: 1, message: 'OK' });
    await request(other.app).get('/orders').expect(404);
    expect(one.hits()).toBe(2);
  });
});

describe('startTestServer', () => {
  it('listens on a port of its own, each time', async () => {
    const servers = await Promise.all([startTestServer(), startTestServer()]);
    try {
      for (const [index, { url, port, script }] of servers.entries()) {
        expect(url).toBe(`http://127.0.0.1:${port}`);
        script('/who', [{ body: index }]);
      }
      const answers = await Promise.all(servers.map(({ url }) => exchange(`${url}/who`)));
      expect(answers.map(({ body }) => body)).toEqual(['0', '1']);
      expect(servers.map(({ hits }) => hits())).toEqual([1, 1]);
    } finally {
      await Promise.all(servers.map(({ close }) => close()));
    }
  });

  it('rejects when the port is taken', async () => {
    const { port, close } = await startTestServer();
    try {
      await expect(startTestServer(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    } finally {
      await close();
    }
  });

  it('closes with requests still open, and may be closed twice', async () => {
    const { url, hits, close } = await startTestServer();
    const answer = exchange(`${url}/answer?behaviour=silent`).catch((error: unknown) => error);
    await until(() => hits() === 1);
    await close();
    await close();
    expect(await answer).toMatchObject({ code: 'ECONNRESET' });
    await expect(exchange(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('npm run test-server', () => {
  it('prints one line with the URL that it listens on', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'test-server/index.ts'], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [printed] = (await once(child.stdout, 'data')) as [Buffer];
      const [, url] = /^Test server: (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(printed.toString()) ?? [];
      expect(url).toBeDefined();
      expect(await exchange(`${url}/status/418`)).toMatchObject({ status: 418 });
    } finally {
      child.kill();
      await once(child, 'exit');
    }
  }, 30_000);
});
