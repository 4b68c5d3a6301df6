import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { needs } from './needs.js';
import { startRedisServer, type RedisServer } from './redis-server.js';

needs('redis-server')('a Redis for tests', () => {
  let server: RedisServer;
  beforeEach(async () => void (server = await startRedisServer()));
  afterEach(() => server.stop());

  async function ask(command: string, { port } = server): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString().trim();
  }

  it('answers on a port of its own', async () => {
    const other = await startRedisServer();
    expect(await ask('SET a 1')).toBe('+OK');
    expect(await ask('EXISTS a')).toBe(':1');
    expect(await ask('EXISTS a', other)).toBe(':0');
    await other.stop();
  });

  it('keeps nothing, and comes back empty on the same port', async () => {
    await ask('SET a 1');
    await server.stop();
    await server.stop();
    await expect(ask('EXISTS a')).rejects.toThrow('ECONNREFUSED');
    await server.start();
    expect(await ask('EXISTS a')).toBe(':0');
  });

  it('answers nothing while it is frozen', async () => {
    server.freeze();
    const answer = ask('EXISTS a');
    expect(await Promise.race([answer, wait(100, 'nothing')])).toBe('nothing');
    server.thaw();
    expect(await answer).toBe(':0');
  });

  it('can be stopped while it is frozen', async () => {
    server.freeze();
    await server.stop();
    await expect(ask('EXISTS a')).rejects.toThrow('ECONNREFUSED');
  });
});
