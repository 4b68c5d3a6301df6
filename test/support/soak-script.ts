/** A whole program that runs the soak for a few seconds, and prints what came of it. */
import { soakAlone } from '../../bench/soak/process.js';

const seconds = Number(process.argv[2]);
console.log(JSON.stringify(await soakAlone({ seconds, rounds: 8, perSecond: 5_000, seed: 1 })));
