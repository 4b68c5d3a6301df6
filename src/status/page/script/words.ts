/** What states, reasons and figures are called. */
export const words = /* js */ `
/** @typedef {import('../../circuit-status.js').Row} Row */
/** @typedef {Row['state'] | 'observed'} Kind */

/** The worst first. @type {Record<Kind, { label: string, tone: string }>} */
const kinds = {
  open: { label: 'Open', tone: 'red' },
  'forced-open': { label: 'Forced open', tone: 'red' },
  'half-open': { label: 'Half-open', tone: 'amber' },
  observed: { label: 'Would be open', tone: 'amber' },
  disabled: { label: 'Disabled', tone: 'grey' },
  closed: { label: 'Closed', tone: 'green' },
};
const kindOrder = /** @type {Kind[]} */ (Object.keys(kinds));

/** @type {Record<string, string>} */
const reasons = {
  'first-error': 'first error',
  'failure-rate': 'failure rate',
  consecutive: 'failures in a row',
  'slow-rate': 'slow calls',
  'rate-limit': 'rate limit',
  'probe-failed': 'probe failed',
  'probe-expired': 'probe took too long',
  manual: 'by hand',
  'cooldown-elapsed': 'cooldown over',
  'probes-passed': 'probe passed',
};

/**
 * An open breaker that only observes refuses nothing.
 * @param {Row} row
 * @returns {Kind}
 */
function kindOf(row) {
  const isOpen = row.state === 'open' || row.state === 'forced-open';
  return isOpen && !row.refuses ? 'observed' : row.state;
}

/** @param {string | null} reason */
function reasonText(reason) {
  return reason === null ? '' : (reasons[reason] ?? reason);
}

/** @param {Row} row */
function nameOf(row) {
  return row.key === null || row.key === 'default' ? row.breaker : row.breaker + ' ' + row.key;
}

const plain = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** @param {number} number */
function countText(number) {
  return (number < 10000 ? plain : compact).format(number);
}

/** @param {number} share */
function shareText(share) {
  const percent = 100 * share;
  return (percent === 0 || percent >= 10 ? Math.round(percent) : percent.toFixed(1)) + ' %';
}

/** @param {number} ms */
function durationText(ms) {
  if (ms < 1000) return (ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms)) + ' ms';
  const seconds = ms / 1000;
  if (seconds < 10) return seconds.toFixed(1) + ' s';
  return spanText(ms);
}

/**
 * In whole seconds, as one counts them down.
 * @param {number} ms
 */
function spanText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 60) return seconds + ' s';
  if (minutes < 60) return minutes + ' min ' + (seconds % 60) + ' s';
  if (hours < 48) return hours + ' h ' + (minutes % 60) + ' min';
  return Math.floor(hours / 24) + ' days';
}

/** @param {Date} date */
function timeText(date) {
  return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', second: '2-digit' });
}
`;
