import type { Command } from '../circuit/transitions.js';
import { describe } from '../describe.js';
import type { Board } from './board.js';
import { readFields } from './body.js';
import { RequestError, type StatusRequest } from './http.js';

const commands: readonly unknown[] = ['open', 'close', 'disable'] satisfies Command[];

/**
 * Does what a request asks for: `command`, to the circuit `key` of `breaker`, or to all of its circuits.
 * @throws RequestError where that makes no sense.
 */
export async function obey(board: Board, request: StatusRequest): Promise<unknown> {
  const { breaker: label, key = null, command } = await readFields(request);
  if (!isCommand(command)) {
    throw new RequestError(
      400,
      `Expected \`command\` to be open, close or disable, got ${describe(command)}`,
    );
  }
  board.look();
  const breaker = board.breaker(label);
  if (breaker === undefined) throw new RequestError(404, `There is no breaker ${describe(label)}`);
  const ofKey = breaker.keys().find((known) => known === key);
  // A key that is misspelt must not make a circuit, much less act on all.
  if (key !== null && ofKey === undefined) {
    throw new RequestError(404, `${describe(label)} has no circuit ${describe(key)}`);
  }
  breaker[command](ofKey);
  return { breaker: label, key, state: breaker.getState(ofKey) };
}

function isCommand(value: unknown): value is Command {
  return commands.includes(value);
}
