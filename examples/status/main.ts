import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { statusPage } from '../../src/status/index.js';
import { takePicture } from './picture.js';
import { Scene } from './scene.js';

const usage = 'Usage: npm run demo:status -- [--port PORT] [--picture FILE] [--help]';
const help = `${usage}

Shows the status page of a shop whose dependencies have a bad day.

  --port PORT      where to listen; any free port without it
  --picture FILE   take a picture of it with Chromium, and end
  --help           print this`;

/** The page comes with ten minutes of history. */
const historyMs = 600_000;
const frameMs = 50;
const token = 'only-for-this-demo';

async function show(port: number, file: string | undefined): Promise<void> {
  const scene = new Scene();
  const { breakers, clock } = scene;
  const page = statusPage(breakers, { title: 'Shop', control: true, token, clock });
  const server = createServer(page).listen(port, '127.0.0.1');
  await once(server, 'listening');
  await scene.play(historyMs);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const life = setInterval(() => void scene.play(frameMs), frameMs);
  if (file === undefined) {
    console.log(`The page is at ${url}\nThe token for commands is ${token}`);
    return;
  }
  await takePicture(url, file);
  console.log(`The picture is in ${file}`);
  clearInterval(life);
  page.close();
  server.close();
}

try {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      picture: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) console.log(help);
  else await show(Number(values.port), values.picture);
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  const isMisused = code.startsWith('ERR_PARSE_ARGS_') || code === 'ERR_SOCKET_BAD_PORT';
  console.error(isMisused ? `${message.split('. ')[0]}\n${usage}` : message);
  process.exitCode = isMisused ? 2 : 1;
}
