import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runExample, startExample } from './run-example.js';

const startDemo = (args: string[], env?: NodeJS.ProcessEnv) => startExample('demo', args, env);
const runDemo = (...args: string[]) => runExample('demo', ...args);

/** The time of a line in seconds, its second column, and the rest. */
function eventsOf(stdout: string) {
  return [...stdout.matchAll(/^[┌│└ ] +(\d+\.\d) s +(#\d+|OPEN|CLOSE) +(.+)$/gm)].map(
    ([, time, name = '', what = '']) => ({ time: Number(time), name, what }),
  );
}

function expectedStatus(hit: number): string {
  if (hit % 5 === 0) return '429';
  return hit % 3 === 0 ? '400' : '200';
}

describe('npm run demo', () => {
  let directory: string;
  let picture: string;
  let demo: Awaited<ReturnType<typeof runDemo>>;
  let events: ReturnType<typeof eventsOf>;
  let requests: ReturnType<typeof eventsOf>;
  let order: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'demo-'));
    picture = join(directory, 'new', 'demo.svg');
    demo = await runDemo('--svg', picture);
    events = eventsOf(demo.stdout);
    requests = events.filter(({ name }) => name.startsWith('#'));
    order = events
      .map(({ name, what }) => (name.startsWith('#') ? /^\w+/.exec(what)?.[0] : name))
      .join(' ')
      .concat(' ');
  }, 90_000);
  afterAll(() => rm(directory, { recursive: true }));

  it('ends by itself, with exit code 0 and no complaint', () => {
    expect(demo).toMatchObject({ code: 0, stderr: '' });
  });

  it('opens when request 5 is answered with 429', () => {
    expect(order).toMatch(/^200 200 400 200 429 OPEN /);
    expect(requests[4]?.what).toMatch(/^429 .*open$/);
  });

  it('refuses every request from OPEN to CLOSE and no other, and never opens at a 400', () => {
    expect(order).toMatch(/^((200 |400 )*429 OPEN (refused )*CLOSE )+(200 |400 )*$/);
    expect(order.match(/OPEN/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('leaves the server alone while open: its counting goes on where it stood', () => {
    const answers = requests.map(({ what }) => what.slice(0, 3)).filter((answer) => +answer > 0);
    expect(answers).toEqual(answers.map((_, index) => expectedStatus(index + 1)));
  });

  it('closes 10 s after it opened', () => {
    const times = (name: string) => events.filter((event) => event.name === name);
    const closings = times('CLOSE');
    for (const [index, { time }] of times('OPEN').entries()) {
      const closing = closings[index];
      expect(closing?.what).toBe('after 10 s: requests are sent again');
      // Both were rounded to a tenth.
      expect(Math.round((Number(closing?.time) - time) * 10)).toBeGreaterThanOrEqual(99);
    }
  });

  it('numbers the requests and never goes back in time', () => {
    expect(requests.map(({ name }) => name)).toEqual(requests.map((_, index) => `#${index + 1}`));
    const times = events.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  it("sums up what it showed, and has sent as many as the server's own count", () => {
    const figure = (name: string) =>
      Number(new RegExp(`^  ${name} +(\\d+) `, 'm').exec(demo.stdout)?.[1]);
    const count = (word: string) => order.split(' ').filter((name) => name === word).length;
    expect(figure('refused')).toBe(count('refused'));
    expect(figure('sent')).toBe(requests.length - count('refused'));
    expect(figure('opened')).toBe(count('OPEN'));
    expect(figure('closed')).toBe(count('CLOSE'));
    expect(figure('hits')).toBe(figure('sent'));
  });

  it('prints no colours into a pipe, and nothing wider than 80 columns', () => {
    expect(demo.stdout).not.toContain('\u001B');
    const table = demo.stdout.slice(0, demo.stdout.indexOf('The picture is in'));
    expect(Math.max(...table.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('draws the same timeline into the file, in a folder made for it', async () => {
    const drawn = await readFile(picture, 'utf8');
    expect(drawn.match(/class="mark /g)).toHaveLength(requests.length);
    expect(drawn.match(/>OPEN</g)).toHaveLength(order.match(/OPEN/g)?.length ?? 0);
    expect(demo.stdout).toContain(`The picture is in ${picture}\n`);
  });
});

describe('the arguments of npm run demo', () => {
  it('are explained by --help', async () => {
    const { stdout, stderr, code } = await runDemo('--help');
    expect(stdout).toMatch(/^Usage: npm run demo -- \[--real-time\] \[--svg FILE\] \[--help\]\n/);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  }, 30_000);

  it.each([['--slow'], ['extra'], ['--svg'], ['--svg='], ['--real-time=no']])(
    'end with the usage and exit code 2 where they are %s',
    async (argument) => {
      const { stdout, stderr, code } = await runDemo(argument);
      expect(stderr).toMatch(/^.+\nUsage: .+\n$/);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    },
    30_000,
  );

  it('are joined by FORCE_COLOR, which colours even a pipe', async () => {
    const child = startDemo([], { FORCE_COLOR: '1' });
    const ended = once(child, 'close');
    let printed = '';
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (printed.includes('breaker\u001B')) break;
    }
    child.kill();
    await ended;
    expect(printed).toContain('\u001B[2m');
  }, 30_000);
});
