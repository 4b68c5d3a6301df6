/** One row of the table. */
export const rowView = /* js */ `
/** @type {Place} */
const stripPlace = { width: 200, top: 0, lane: 21, laneHeight: 4, bottom: 34, gap: 0 };

/**
 * The order of the columns. What is nothing at all is shown, but does not ask to be looked at.
 * @type {Record<string, (row: Row) => { text: string, isNothing: boolean }>}
 */
const figures = {
  Failed: (row) => shareFigure(row, row.failureRate),
  Slow: (row) => shareFigure(row, row.slowRate),
  Refused: (row) => countFigure(row.recent.refused),
  'In flight': (row) => countFigure(row.inFlight),
  Queued: (row) => countFigure(row.queued),
  p50: (row) => durationFigure(row.latency?.p50Ms),
  p95: (row) => durationFigure(row.latency?.p95Ms),
};

/** Only a closed circuit has a window. @param {Row} row @param {number} share */
function shareFigure(row, share) {
  if (row.state !== 'closed') return { text: '–', isNothing: true };
  return { text: shareText(share), isNothing: share === 0 };
}

/** @param {number} count */
function countFigure(count) {
  return { text: countText(count), isNothing: count === 0 };
}

/** @param {number | undefined} ms */
function durationFigure(ms) {
  return ms === undefined
    ? { text: '–', isNothing: true }
    : { text: durationText(ms), isNothing: false };
}

/** What the state means for requests, where that is not plain. @param {Row} row */
function outlookText(row) {
  if (row.state === 'half-open') return 'a probe decides';
  if (row.state !== 'open' && row.state !== 'forced-open') return '';
  if (row.retryAt === null) return 'until closed by hand';
  const rest = row.retryAt - serverTime();
  return rest > 0 ? 'next try in ' + spanText(rest) : 'next try now';
}

/** @param {Row} row */
function noteText(row) {
  const why = row.openReason === 'manual' ? '' : reasonText(row.openReason);
  return [why, outlookText(row)].filter(Boolean).join(' · ');
}

/**
 * @typedef {object} RowView
 * @property {HTMLTableRowElement} tr
 * @property {HTMLButtonElement} toggle
 * @property {(row: Row) => void} update - also what time alone changes.
 * @property {(timeline: DrawnTimeline) => void} draw
 */

/**
 * @param {Row} first
 * @param {() => void} onToggle
 * @returns {RowView}
 */
function createRowView(first, onToggle) {
  const badge = element('span', { class: 'badge' });
  const note = element('span', { class: 'note' });
  const lastError = element('span', { class: 'last-error' });
  const toggle = element('button', { type: 'button', class: 'toggle', 'aria-expanded': 'false' });
  toggle.append(element('strong', {}, first.breaker));
  if (first.key === null) toggle.append(element('span', { class: 'key' }, ' (no request yet)'));
  else if (first.key !== 'default')
    toggle.append(' ', element('span', { class: 'key' }, first.key));
  toggle.addEventListener('click', onToggle);

  const strip = shape('svg', {
    class: 'strip',
    role: 'img',
    viewBox: '0 0 200 34',
    preserveAspectRatio: 'none',
    'aria-label': 'Last 10 minutes: not known yet',
  });
  const cells = Object.keys(figures).map((label) =>
    element('td', { role: 'cell', class: 'figure', 'data-label': label }),
  );
  const tr = element(
    'tr',
    { role: 'row', class: 'circuit' },
    element('td', { role: 'cell', class: 'state' }, badge, note),
    element('th', { role: 'rowheader', scope: 'row', class: 'name' }, toggle, lastError),
    element('td', { role: 'cell', class: 'picture' }, strip),
    ...cells,
  );
  let drawnKind = '';

  return {
    tr,
    toggle,
    update(row) {
      const kind = kindOf(row);
      if (kind !== drawnKind) {
        drawnKind = kind;
        tr.dataset.tone = kinds[kind].tone;
        badge.replaceChildren(icon(kind), kinds[kind].label);
      }
      setText(note, noteText(row));
      setText(lastError, kind === 'closed' ? '' : (row.lastError?.message ?? ''));
      for (const [index, figureOf] of Object.values(figures).entries()) {
        const { text, isNothing } = figureOf(row);
        const cell = cells[index];
        if (cell === undefined) continue;
        setText(cell, text);
        cell.classList.toggle('zero', isNothing);
      }
    },
    draw(timeline) {
      drawPaths(strip, pathsOf(timeline, stripPlace));
      strip.setAttribute('aria-label', summaryOf(timeline));
    },
  };
}
`;
