import { style } from '../../../src/status/page/style.js';

type Palette = Readonly<Record<string, string>>;

const [light = {}, dark = {}] = [...style.matchAll(/:root \{([^}]*)\}/g)].map(
  ([, block = '']): Palette =>
    Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#[\da-f]{6});/g)].map(([, name = '', colour = '']) => [
        name,
        colour,
      ]),
    ),
);

/** Of two colours, as the Web Content Accessibility Guidelines define it. */
function contrast(one = '', other = ''): number {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const texts = [
  ['ink', 'page'],
  ['ink', 'card'],
  ['soft', 'page'],
  ['soft', 'card'],
  ['soft', 'grey-tint'],
  ['ink', 'amber-tint'],
  ['red', 'card'],
  ['red', 'red-tint'],
  ['amber', 'amber-tint'],
  ['green', 'green-tint'],
  ['grey', 'grey-tint'],
] as const;

const marks = [
  ['focus', 'card'],
  ['focus', 'page'],
  ['red', 'card'],
  ['red', 'red-tint'],
  ['refused', 'card'],
  ['refused', 'red-tint'],
  ['amber', 'card'],
  ['green', 'card'],
] as const;

describe.each([
  ['light', light],
  ['dark', dark],
])('the %s colours of the page', (_name, palette) => {
  it('are all there', () => {
    expect(Object.keys(palette)).toEqual(Object.keys(light));
    expect(Object.keys(palette).length).toBeGreaterThan(15);
  });

  it.each(texts)('can be read: %s on %s', (text, ground) => {
    expect(contrast(palette[text], palette[ground])).toBeGreaterThanOrEqual(4.5);
  });

  it.each(marks)('can be told apart: %s on %s', (mark, ground) => {
    expect(contrast(palette[mark], palette[ground])).toBeGreaterThanOrEqual(3);
  });
});

it('uses no colour that it does not name, and no name twice', () => {
  const used = [...style.matchAll(/var\(--([\w-]+)\)/g)].map(([, name]) => name);
  expect([...new Set(used)].filter((name) => !(String(name) in light))).toEqual([]);
  expect(Object.keys(light).filter((name) => !used.includes(name))).toEqual([]);
});
