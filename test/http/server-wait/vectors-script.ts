/** A process of its own, as a time zone is set only at its start: prints every reading as JSON. */
import { read, vectors } from './vectors.js';

const readings = Object.fromEntries(vectors.map((vector) => [vector.name, read(vector)]));
// Where the environment's time zone took no hold, all would seem well.
const hour = String(new Date('2026-11-30T12:00:00Z').getHours()).padStart(2, '0');
console.log(JSON.stringify({ hour, readings }));
