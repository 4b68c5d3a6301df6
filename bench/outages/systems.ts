import { bare } from '../systems/bare.js';
import { cockatiels } from '../systems/cockatiel.js';
import { opossum } from '../systems/opossum.js';
import { ours } from '../systems/ours.js';
import { plain } from '../systems/plain.js';

/** This package: as it comes, with a sense for slowness, and as its documentation recommends. */
export const guards = {
  default: ours(''),
  slow: ours('slow 1 s', { slowCallDuration: 1_000 }),
  recommended: ours('recommended', {
    requestTimeout: 3_000,
    slowCallDuration: 1_000,
    maxConcurrent: 25,
  }),
};

export type GuardName = keyof typeof guards;

export const peers = [
  bare,
  plain(({ response }) => response === undefined || response.status >= 500),
  opossum,
  cockatiels.consecutive,
  cockatiels.count,
  cockatiels.sampling,
];
