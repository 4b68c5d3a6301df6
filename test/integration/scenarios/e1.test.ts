import { ManualClock } from '../../../src/testing/index.js';
import type { Answer } from '../../../test-server/answer.js';
import { describeIf, isAxiosFrom, isLatestAxios } from '../../support/axios-version.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { defaultOptions, outcome, sleep, startRig, type Rig } from '../../support/rig.js';
import { adapterNames } from '../../support/wire.js';

const { cooldown } = defaultOptions;
const minWait = 1_000;
const maxWaitOther = 30_000;

const noon = Date.UTC(2026, 10, 30, 12);
/** A date so many seconds after the answer was made. */
const dated = (seconds: number) => ({
  date: new Date(noon).toUTCString(),
  'retry-after': new Date(noon + seconds * 1_000).toUTCString(),
});
const retryAfter = (value: string | readonly string[]) => ({ 'retry-after': value });

interface Form {
  readonly form: string;
  readonly headers: Required<Answer>['headers'];
  /** When the first request may reach the server again. */
  readonly after: number;
}

const stated: readonly Form[] = [
  { form: 'one second', headers: retryAfter('1'), after: 1_000 },
  // A second on top: the date may mean any instant of its second.
  { form: 'a date one second ahead', headers: dated(1), after: 2_000 },
  { form: 'a date that has just passed', headers: dated(-2), after: minWait },
  { form: 'the date of the answer', headers: dated(0), after: minWait },
  { form: 'zero', headers: retryAfter('0'), after: minWait },
  { form: 'a huge number', headers: retryAfter('99999999'), after: maxWaitOther },
  { form: 'the last year', headers: dated(1e9), after: maxWaitOther },
  { form: 'a second and a half', headers: retryAfter('1.5'), after: 1_500 },
  { form: 'two values in a line', headers: retryAfter('1, 2'), after: 2_000 },
  { form: 'the longer of two lines first', headers: retryAfter(['2', '1']), after: 2_000 },
];

const malformed: readonly Form[] = ['-5', 'abc', '', '1e3', '0x1F', 'null', 'Infinity']
  .map((value) => ({ form: JSON.stringify(value), headers: retryAfter(value), after: cooldown }))
  .concat({
    form: 'a date of 2015',
    headers: retryAfter('Wed, 12 Aug 2015 07:28:00 GMT'),
    after: cooldown,
  });

/** Of two lines Node shows the first alone to the http adapter, and fetch joins them. */
const twoLines = (after: number): Form => ({
  form: 'two lines',
  headers: retryAfter(['1', '2']),
  after,
});

// axios 1.0 takes no headers from an object of another realm, as Jest gives it those of Node.
describeIf(!isAxiosFrom(1, 0) || isAxiosFrom(1, 1))('E1 · Header forms', () => {
  expectQuietProcess();
  const rigs: Rig[] = [];
  afterEach(() => Promise.all(rigs.splice(0).map((rig) => rig.stop())));

  async function start(headers: Form['headers'], more: object, config = {}): Promise<Rig> {
    const rig = await startRig({ consecutiveFailures: 1, ...more }, config);
    rigs.push(rig);
    rig.server.script('/', [{ status: 503, headers }, 200]);
    return rig;
  }

  const byHttp = [...stated, ...malformed, twoLines(1_000)];
  const byFetch = [...stated, ...malformed, twoLines(2_000)];

  describe.each([
    { adapter: 'http', config: {}, forms: byHttp },
    { adapter: 'fetch', config: { adapter: 'fetch' }, forms: byFetch },
  ])('with the $adapter adapter', ({ adapter, config, forms }) => {
    describeIf(adapter === 'http' || adapterNames.includes(adapter))('where there is one', () => {
      it.each(forms)(
        'opens for $after ms where Retry-After on a 503 is $form',
        async ({ headers, after }) => {
          const clock = new ManualClock();
          const rig = await start(headers, { clock }, config);
          const opened: object[] = [];
          rig.breaker.on('OPEN', ({ reason, cooldownMs, from }) =>
            opened.push({ reason, cooldownMs, from }),
          );

          await outcome(rig.client.get('/'));
          expect(opened).toEqual([
            after === cooldown
              ? { reason: 'consecutive', cooldownMs: after, from: undefined }
              : { reason: 'rate-limit', cooldownMs: after, from: 'retry-after' },
          ]);
          expect(await firstHit(rig, (ms) => clock.advance(ms), after)).toBe(after);
          expect(rig.transitions).toEqual(['OPEN', 'CLOSE']);
        },
      );
    });
  });

  // Time is the same for all.
  describeIf(isLatestAxios)('in real time', () => {
    it('sends nothing before the stated time', async () => {
      const soon = Math.ceil(Date.now() / 1_000) * 1_000 + 1_000;
      const forms = [
        { headers: retryAfter('1'), after: 1_000 },
        { headers: retryAfter('1.5'), after: 1_500 },
        { headers: retryAfter('abc'), after: cooldown },
        { headers: retryAfter(new Date(soon).toUTCString()), until: soon, after: minWait },
      ];
      await Promise.all(
        forms.map(async ({ headers, after, until = 0 }) => {
          const rig = await start(headers, {});
          const began = performance.now();
          await outcome(rig.client.get('/'));
          await firstHit(rig, sleep, 10 * after);
          const elapsed = performance.now() - began;
          expect(Date.now()).toBeGreaterThanOrEqual(until);
          expect(elapsed).toBeGreaterThanOrEqual(after);
          expect(elapsed).toBeLessThanOrEqual(10 * after);
          expect(rig.server.hits('/')).toBe(2);
        }),
      );
    });
  });
});

/** Asks every 50 ms, and says after how many ms that reached the server. */
async function firstHit(
  { server, client }: Rig,
  pass: (ms: number) => unknown,
  latest: number,
): Promise<number> {
  const before = server.hits('/');
  for (let elapsed = 0; ; elapsed += 50) {
    await outcome(client.get('/'));
    if (server.hits('/') > before || elapsed > latest) return elapsed;
    await pass(50);
  }
}
