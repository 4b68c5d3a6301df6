/**
 * A whole program that measures what the rate limits of the bench have targets for, in virtual time, and
 * prints it; and one of them twice.
 */
import { limiters } from '../../bench/limits/limiters.js';
import { offer, type Yield } from '../../bench/limits/offer.js';
import { guards } from '../../bench/limits/systems.js';
import { targets } from '../../bench/limits/targets.js';

const seen: Yield[] = [];
for (const { limiter, guard } of targets) {
  seen.push(await offer(limiters[limiter], guards[guard], 1));
}

const repeated: Yield[] = [];
for (let time = 0; time < 2; time += 1) {
  repeated.push(await offer(limiters.silent, guards.hold, 8));
}
console.log(JSON.stringify({ seen, repeated }));
