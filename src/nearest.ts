/** The candidate that takes the fewest letters to change into `word`. */
export function nearest(word: string, candidates: readonly string[]): string {
  const distances = candidates.map((candidate) => distance(word, candidate));
  return candidates[distances.indexOf(Math.min(...distances))] ?? '';
}

/** Levenshtein's distance, letter case aside. */
function distance(one: string, other: string): number {
  const left = one.toLowerCase();
  const right = other.toLowerCase();
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const changed = Number(left[row - 1] !== right[column - 1]);
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + changed,
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
