import fc from 'fast-check';
import { cooldownOf, type CooldownRules } from '../../src/circuit/cooldown.js';

const rules: CooldownRules = { base: 1_000, factor: 2, max: 30_000, jitter: 0.1, stableAfter: 0 };
const many = Array.from({ length: 50 }, (_, index) => index + 1);

describe('the cooldown', () => {
  it('grows with every opening in a row, up to the cap', () => {
    const lengths = [1, 2, 3, 5, 6, 2_000].map((opening) => cooldownOf(rules, opening, 0));
    expect(lengths).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000]);
  });

  it('is shortened by chance, at the cap too', () => {
    expect(cooldownOf(rules, 1, 1)).toBe(900);
    expect(cooldownOf(rules, 6, 0.5)).toBe(28_500);
  });

  it.each([
    [{ base: 0 }, 5_000, 0],
    [{ base: Infinity, max: Infinity, jitter: 1 }, 1, Infinity],
    [{ base: Infinity }, 1, 27_000],
  ])('of %j is never NaN', (special, opening, expected) => {
    expect(cooldownOf({ ...rules, ...special }, opening, 1)).toBe(expected);
  });

  it('never decreases over openings in a row, and never exceeds the cap', () => {
    const length = fc.double({ min: 0, noNaN: true });
    fc.assert(
      fc.property(
        length,
        fc.double({ min: 1, max: 10, noNaN: true }),
        length,
        (base, factor, max) => {
          const lengths = many.map((n) =>
            cooldownOf({ ...rules, base, factor, max, jitter: 0 }, n, 0),
          );
          expect(lengths).toEqual([...lengths].sort((a, b) => a - b));
          expect(lengths.at(-1)).toBeLessThanOrEqual(Math.max(max, 0));
        },
      ),
    );
  });
});
