/** What is known of the circuits, and in which order it is shown. */
export const model = /* js */ `
/** @typedef {import('../../live.js').News} News */

/** By breaker and key, which outlast a restart of the server. @type {Map<string, Row>} */
const rows = new Map();
/** @type {Map<number, string>} */
const identities = new Map();
/** What the server's clock showed when this one showed so much. */
let clock = { server: 0, here: 0 };

/** @param {Row} row */
function identityOf(row) {
  return JSON.stringify([row.breaker, row.key]);
}

function serverTime() {
  return clock.server + performance.now() - clock.here;
}

/** @param {number} at - on the clock of the server. */
function dateOf(at) {
  return new Date(Date.now() + at - serverTime());
}

/**
 * Returns which circuits have changed their state, and whether others are there than before.
 * @param {News} news
 */
function learn(news) {
  clock = { server: news.now, here: performance.now() };
  const before = new Map(rows);
  if (news.isFirst) {
    rows.clear();
    identities.clear();
  }
  for (const id of news.gone) {
    rows.delete(identities.get(id) ?? '');
    identities.delete(id);
  }
  /** @type {Row[]} */
  const changes = [];
  let isRearranged = news.isFirst || news.gone.length > 0;
  for (const row of news.rows) {
    const identity = identityOf(row);
    rows.set(identity, row);
    identities.set(row.id, identity);
    const old = before.get(identity);
    if (old === undefined) isRearranged = true;
    else if (kindOf(old) !== kindOf(row)) changes.push(row);
  }
  return { changes, isRearranged };
}

const collator = new Intl.Collator('en', { numeric: true });
/** @typedef {(one: Row, other: Row) => number} Comparison */

/** @type {Comparison} */
const byName = (one, other) =>
  collator.compare(one.breaker, other.breaker) || collator.compare(one.key ?? '', other.key ?? '');

/**
 * Shares count in steps: rows that are much the same should not change places all the time.
 * @type {Comparison}
 */
const byWeight = (one, other) =>
  kindOrder.indexOf(kindOf(one)) - kindOrder.indexOf(kindOf(other)) ||
  Math.round(10 * other.failureRate) - Math.round(10 * one.failureRate) ||
  byName(one, other);

/** @type {Record<string, Comparison>} */
const comparisons = {
  worst: byWeight,
  name: byName,
  refused: (one, other) => other.recent.refused - one.recent.refused || byName(one, other),
  failed: (one, other) => other.recent.failure - one.recent.failure || byName(one, other),
  slowest: (one, other) =>
    (other.latency?.p95Ms ?? 0) - (one.latency?.p95Ms ?? 0) || byName(one, other),
};

/**
 * @param {{ words: string, kinds: ReadonlySet<string>, order: string }} wanted
 */
function wantedRows(wanted) {
  const words = wanted.words.toLowerCase().split(' ').filter(Boolean);
  return [...rows.values()]
    .filter((row) => {
      const text = (
        row.breaker +
        ' ' +
        (row.key ?? '') +
        ' ' +
        kinds[kindOf(row)].label
      ).toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .filter((row) => wanted.kinds.size === 0 || wanted.kinds.has(kindOf(row)))
    .sort(comparisons[wanted.order] ?? byWeight);
}

function countKinds() {
  /** @type {Map<Kind, number>} */
  const counts = new Map();
  for (const row of rows.values()) counts.set(kindOf(row), (counts.get(kindOf(row)) ?? 0) + 1);
  return counts;
}
`;
