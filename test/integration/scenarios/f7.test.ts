import axios from 'axios';
import { CircuitBreakerWithEmitter } from '../../../src/index.js';
import { ManualClock } from '../../../src/testing/index.js';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { defaultOptions, expectAtRest, startRig, type Rig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { counts, times, watch } from '../../support/watch.js';

describe('F7 · Attached twice', () => {
  expectQuietProcess();
  const clock = new ManualClock();
  // A handler that would take a refusal for a failure, too, if it were asked.
  const errorHandler = () => true;
  const options = { ...defaultOptions, consecutiveFailures: 4, errorHandler, clock };
  let rig: Rig;
  beforeEach(async () => void (rig = await startRig(options)));
  afterEach(() => rig.stop());

  it('gives two breakers of one client a count of their own, and opens each once', async () => {
    const { server, client, breaker: first } = rig;
    const second = new CircuitBreakerWithEmitter(client, { ...options, name: 'second' });
    const told = { first: watch(first), second: watch(second) };
    server.script('/', [...times(4, 503), 200]);

    const outcomes = await inTurn(8, () => client.get('/'));
    expect(server.hits()).toBe(4);
    // One of them refuses, and the other is not even asked.
    const refusals = outcomes.slice(4).map(({ error }) => (error as { breaker: string }).breaker);
    expect(new Set(refusals).size).toBe(1);
    const [refusing, other] = refusals[0] === 'second' ? [second, first] : [first, second];
    const whileFailing = counts({ admitted: 4, failure: 4, opened: 1 });
    expect(refusing.snapshot().counts).toEqual({ ...whileFailing, refused: 4 });
    expect(other.snapshot().counts).toEqual(whileFailing);

    clock.advance(300);
    expect((await client.get('/')).status).toBe(200);
    for (const list of Object.values(told)) {
      expect(list.filter((event) => event !== 'REFUSE')).toEqual([
        ...times(4, 'FAILURE'),
        'OPEN consecutive 300',
        'CLOSE cooldown-elapsed 300',
        'SUCCESS',
      ]);
    }
    expectAtRest(second);
    second.detach();
  });

  it.each(['first', 'second'])(
    'is neutral for the other what the %s one refuses',
    async (refusing) => {
      const { server, client, breaker: first } = rig;
      const second = new CircuitBreakerWithEmitter(client, options);
      const [open, closed] = refusing === 'first' ? [first, second] : [second, first];
      server.script('/', [200]);

      open.open();
      await inTurn(8, () => client.get('/'));
      expect(server.hits()).toBe(0);
      expect(open.snapshot().counts).toEqual(counts({ refused: 8, opened: 1 }));
      expect(closed.snapshot().counts).toMatchObject({ success: 0, failure: 0, refused: 0 });
      expect(closed.getState()).toBe('closed');
      expectAtRest(second);
      second.detach();
    },
  );

  it('keeps the breakers of two clients independent', async () => {
    const { server, client, breaker } = rig;
    const otherClient = axios.create({ baseURL: server.url });
    const otherBreaker = new CircuitBreakerWithEmitter(otherClient, options);
    server.script('/down', [503]);
    server.script('/up', [200]);

    await inTurn(8, () => client.get('/down'));
    await inTurn(8, () => otherClient.get('/up'));
    expect(server.hits('/down')).toBe(4);
    expect(server.hits('/up')).toBe(8);
    expect(breaker.getState()).toBe('open');
    expect(otherBreaker.getState()).toBe('closed');
    expect(otherBreaker.snapshot().counts).toEqual(counts({ admitted: 8, success: 8 }));
    otherBreaker.detach();
  });

  it('does not cover an instance that was made from the client', async () => {
    const { server, client, breaker } = rig;
    // No types of axios name it, and 0.22 and later have it.
    const { create } = client as unknown as Pick<typeof axios, 'create'>;
    server.script('/', [503]);

    await inTurn(8, () => create().get('/'));
    expect(server.hits()).toBe(8);
    expect(breaker.snapshot().counts).toEqual(counts({}));
  });
});
