import type { AxiosAdapter } from 'axios';
import { expectQuietProcess } from '../../support/quiet-process.js';
import { outcome, startRig } from '../../support/rig.js';
import { inTurn } from '../../support/steps.js';
import { wireAdapter } from '../../support/wire.js';

describe('C5 · Filtered errors reach the caller untouched', () => {
  expectQuietProcess();

  it('rejects with the very error that the adapter made, and counts no failure', async () => {
    const made: unknown[] = [];
    const adapter: AxiosAdapter = async (config) => {
      const answer = wireAdapter(config);
      made.push((await outcome(answer)).error);
      return answer;
    };
    const rig = await startRig(
      { errorHandler: (error) => error.response?.status !== 404 },
      { adapter },
    );
    const { server, client, breaker, transitions } = rig;
    server.script('/', [404]);

    const outcomes = await inTurn(20, () => client.get('/'));

    expect(made).toHaveLength(20);
    outcomes.forEach(({ error }, index) => {
      expect(error).toBe(made[index]);
      expect(error).toMatchObject({ response: { status: 404 } });
    });
    expect(server.hits('/')).toBe(20);
    expect(breaker.getState()).toBe('closed');
    expect(breaker.snapshot().counts).toMatchObject({ admitted: 20, success: 20, failure: 0 });
    expect(transitions).toEqual([]);
    await rig.stop();
  });
});
