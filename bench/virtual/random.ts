/** Mulberry32: the same numbers for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The chance of one call, a number in 0 … 1 that does not depend on what was drawn before. */
export function chanceOf(seed: number, call: number): number {
  return randomFrom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(call + 1, 0x85ebca6b))();
}
