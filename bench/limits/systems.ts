import { holdUntilClosed } from '../../src/index.js';
import { bare } from '../systems/bare.js';
import { cockatiels } from '../systems/cockatiel.js';
import { opossum } from '../systems/opossum.js';
import { ours } from '../systems/ours.js';
import { plain } from '../systems/plain.js';

const preempt = { rateLimit: { preempt: true } };
const fallback = holdUntilClosed();

export const guards = {
  default: ours(''),
  preempt: ours('preempt', preempt),
  hold: ours('hold', { fallback }),
  preemptAndHold: ours('preempt, hold', { ...preempt, fallback }),
};

export type GuardName = keyof typeof guards;

export const peers = [
  bare,
  plain(({ response }) => response?.status === 429 || response?.status === 403),
  opossum,
  cockatiels.consecutive,
  cockatiels.count,
  cockatiels.sampling,
];
