import fc from 'fast-check';
import type { Answer } from '../../src/redis/answer.js';
import type { Operation } from './script-model.js';

/** What is asked; the end of a probe is of one of the leases that were granted by then, or of none. */
export type Asking =
  | Exclude<Operation, { do: 'finish' | 'lease' }>
  | Omit<Operation & { do: 'lease' }, 'token'>
  | (Omit<Operation & { do: 'finish' }, 'circuit' | 'token' | 'epoch'> & {
      readonly pick: number;
      readonly off: 'nothing' | 'token' | 'epoch' | 'circuit';
    });

const ms = fc.oneof(fc.integer({ min: 1, max: 25 }), fc.double({ min: 0.5, max: 60, noNaN: true }));
const circuit = fc.constantFrom('a', 'a', 'a', 'b');
const opening = {
  circuit,
  ms,
  recovery: fc.constantFrom('clock' as const, 'probe' as const, 'probe' as const),
  row: fc.integer({ min: 0, max: 5 }),
};
const liveFor = fc.oneof(ms, fc.constant(3_000), fc.constant(3_000), fc.constant(0));
export const asking: fc.Arbitrary<Asking> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('poll' as const), liveFor }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rest' as const), ...opening }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('vote' as const),
      ...opening,
      quorum: fc.constantFrom(0.1, 0.34, 0.5, 0.5, 0.67, 1),
      voteFor: fc.oneof(ms, fc.constant(10_000)),
      liveFor: fc.constant(3_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('unvote' as const), circuit }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('lease' as const),
      circuit,
      ms,
      budget: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('finish' as const),
      outcome: fc.constantFrom('passed', 'failed', 'failed', 'none'),
      pick: fc.nat(),
      off: fc.constantFrom('nothing', 'nothing', 'nothing', 'token', 'epoch', 'circuit'),
      ms,
      recovery: opening.recovery,
      row: opening.row,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fleet' as const),
      circuit: fc.constantFrom('*', 'a', 'b'),
      command: fc.constantFrom('open' as const, 'close' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('leave' as const) }) },
);

/** The leases that were granted. */
export class Granted {
  readonly #leases: { circuit: string; token: string; epoch: number }[] = [];
  #tokens = 0;

  note(operation: Operation, { granted, leaseEpoch }: Answer): void {
    if (operation.do !== 'lease' || !granted) return;
    const { circuit, token } = operation;
    this.#leases.push({ circuit, token, epoch: leaseEpoch });
  }

  complete(ask: Asking): Operation {
    if (ask.do === 'lease') return { ...ask, token: `token ${(this.#tokens += 1)}` };
    if (ask.do !== 'finish') return ask;
    const { pick, off, ...rest } = ask;
    const known = this.#leases[this.#leases.length - 1 - (pick % 3)];
    const { circuit, token, epoch } = known ?? { circuit: 'a', token: 'none', epoch: 0 };
    return {
      ...rest,
      circuit: off === 'circuit' ? 'b' : circuit,
      token: off === 'token' ? 'another' : token,
      epoch: off === 'epoch' ? epoch - 1 : epoch,
    };
  }
}
