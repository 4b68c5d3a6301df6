import { chanceOf } from '../virtual/random.js';

/** What a dependency does for a while. */
export type Mood = 'well' | 'down' | 'gone' | 'slow' | 'limited' | 'mixed';

/** Well as often as not. */
const moods: readonly Mood[] = [
  'well',
  'well',
  'well',
  'well',
  'down',
  'gone',
  'slow',
  'limited',
  'mixed',
];
const moodMs = 400;

/** The mood of a dependency as of now: another one each 400 ms, and another one for each key. */
export function moodOf(seed: number, key: number): Mood {
  const period = Math.floor(performance.now() / moodMs);
  const chance = chanceOf(seed + key * 7_919, period);
  return moods[Math.floor(chance * moods.length)] ?? 'well';
}

/** What one answer is to be. */
export interface Lot {
  /** 0: nobody answers. */
  readonly status: number;
  readonly delay: number;
  readonly headers: Readonly<Record<string, string>>;
}

const plain = (status: number, delay = 0): Lot => ({ status, delay, headers: {} });

/** What a dependency in that mood answers. */
export function drawLot(mood: Mood, random: () => number): Lot {
  switch (mood) {
    case 'well':
      return plain(random() < 0.02 ? 404 : 200);
    case 'down':
      return plain(503);
    case 'gone':
      return plain(0);
    case 'slow':
      return plain(200, 5 + random() * 60);
    case 'limited':
      return { ...plain(429), headers: { 'retry-after-ms': String(Math.ceil(random() * 80)) } };
    case 'mixed':
      return plain(random() < 0.4 ? 500 : 200, random() < 0.5 ? 0 : random() * 10);
  }
}
