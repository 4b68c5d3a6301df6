import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What other circuit breakers and plugins of axios were reported to do wrong, by what it is about. */
const ids = {
  A: [1, 3],
  B: [1, 3, 5, 6, 7, 9],
  C: [1, 4, 5, 7],
  D: [1, 2, 4, 6, 7, 8, 10],
  E: [1],
  F: [1, 2, 3, 6, 7],
  G: [1, 3, 4, 5, 8, 10],
  H: [1, 3, 5, 6],
};
const names = Object.entries(ids).flatMap(([letter, numbers]) =>
  numbers.map((number) => `${letter}${number}`),
);

const folder = join(__dirname, 'integration/scenarios');
/** The titles of what is described there: `F1 · No listener left behind`. */
const titles = readdirSync(folder).flatMap((file) =>
  [...readFileSync(join(folder, file), 'utf8').matchAll(/^describe.*?\((["'`])(.+)\1,/gm)].map(
    ([, , title = '']) => title,
  ),
);

describe('the scenarios', () => {
  it.each(names)('%s has a test of its name', (name) => {
    expect(titles.filter((title) => title.startsWith(`${name} `))).not.toEqual([]);
  });

  it('are all of them in this list', () => {
    const told = titles.map((title) => title.split(' ')[0] ?? '');
    expect(told.filter((name) => !names.includes(name))).toEqual([]);
  });
});
