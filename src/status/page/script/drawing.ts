/** Turns a timeline into the paths of a picture. */
export const drawing = /* js */ `
/** @typedef {import('../../timelines.js').DrawnTimeline} DrawnTimeline */

/**
 * Where things are drawn: what succeeded and failed above the lane of the states, refused below it.
 * @typedef {object} Place
 * @property {number} width
 * @property {number} top - of the bars above.
 * @property {number} lane - the upper edge of the lane.
 * @property {number} laneHeight
 * @property {number} bottom - of the bars below.
 * @property {number} gap - between two bars, as a share of both.
 */

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function box(x, y, width, height) {
  const [left, top, wide, high] = [x, y, width, height].map((value) => Number(value.toFixed(2)));
  return 'M' + left + ' ' + top + 'h' + wide + 'v' + high + 'h-' + wide + 'z';
}

/**
 * A class and a path for each thing to draw, the hindmost first.
 * @param {DrawnTimeline} timeline
 * @param {Place} place
 * @returns {Map<string, string>}
 */
function pathsOf(timeline, place) {
  const { success, failure, refused, states } = timeline;
  const { top, lane, laneHeight, bottom } = place;
  const step = place.width / success.length;
  const below = lane + laneHeight;
  const mostAbove = Math.max(...success.map((count, at) => count + (failure[at] ?? 0)), 1);
  const mostBelow = Math.max(...refused, 1);
  /** @type {Map<string, string>} */
  const paths = new Map();
  /** @param {string} name @param {string} path */
  const add = (name, path) => paths.set(name, (paths.get(name) ?? '') + path);
  /** What there is is seen, however little it is. @param {number} share @param {number} height */
  const tall = (share, height) => (share === 0 ? 0 : Math.max(1.5, share * height));

  for (const run of states.matchAll(/(.)\\1*/g)) {
    const state = drawnStates[Number(run[1])];
    if (state === undefined) continue;
    const x = run.index * step;
    const width = run[0].length * step;
    if (state !== 'closed') add('band-' + state, box(x, top, width, bottom - top));
    add('lane-' + state, laneOf(state, x, width, place));
  }
  for (let at = 0; at < success.length; at += 1) {
    const x = (at + place.gap / 2) * step;
    const width = (1 - place.gap) * step;
    const failed = tall((failure[at] ?? 0) / mostAbove, lane - top);
    const succeeded = tall((success[at] ?? 0) / mostAbove, lane - top);
    const rest = tall((refused[at] ?? 0) / mostBelow, bottom - below);
    if (succeeded)
      add('mark-success', box(x, Math.max(top, lane - failed - succeeded), width, succeeded));
    if (failed) add('mark-failure', box(x, lane - failed, width, failed));
    if (rest) add('mark-refused', box(x, below, width, rest));
  }
  return paths;
}

/**
 * Closed is thin, open is thick, half-open is dashed, disabled is dotted.
 * @param {string} state @param {number} x @param {number} width @param {Place} place
 */
function laneOf(state, x, width, { lane, laneHeight }) {
  const thin = laneHeight / 3;
  if (state === 'closed') return box(x, lane + thin, width, thin);
  if (state === 'open' || state === 'forced-open') return box(x, lane, width, laneHeight);
  const [dash, height] = state === 'half-open' ? [3, laneHeight] : [1.5, thin];
  let path = '';
  for (let at = 0; at < width; at += 2 * dash) {
    path += box(x + at, lane + (laneHeight - height) / 2, Math.min(dash, width - at), height);
  }
  return path;
}

const layers = ['band', 'mark', 'lane'];

/**
 * @param {SVGElement} target
 * @param {Map<string, string>} paths
 */
function drawPaths(target, paths) {
  const names = [...paths.keys()].sort(
    (one, other) => layers.indexOf(one.slice(0, 4)) - layers.indexOf(other.slice(0, 4)),
  );
  target.replaceChildren(
    ...names.map((name) => shape('path', { class: name, d: paths.get(name) ?? '' })),
  );
}

/**
 * What a picture tells, for those who do not see it.
 * @param {DrawnTimeline} timeline
 */
function summaryOf({ success, failure, refused, states }) {
  /** @param {readonly number[]} counts */
  const sum = (counts) => counts.reduce((total, count) => total + count, 0);
  const openFor = bucketMs * [...states].filter((digit) => Number(digit) >= 4).length;
  const parts = [
    'Last 10 minutes: ' + (openFor === 0 ? 'never open' : 'open for ' + spanText(openFor)),
    countText(sum(success)) + ' succeeded',
    countText(sum(failure)) + ' failed',
    countText(sum(refused)) + ' refused',
  ];
  return parts.join(', ');
}
`;
