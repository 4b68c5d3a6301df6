/** Which rows there are, in which order, and what of them is drawn. */
export const tableView = /* js */ `
const stepOfRows = 50;
const sortEveryMs = 5000;

/** @type {HTMLInputElement} */
const search = byId('search');
/** @type {HTMLSelectElement} */
const order = byId('order');
const body = byId('rows');
/** @type {Map<string, RowView>} */
const views = new Map();
/** The rows that can be seen. @type {Set<string>} */
const onScreen = new Set();
/** @type {Set<string>} */
const wantedKinds = new Set();
/** The identities of the rows, in order. @type {string[]} */
let sorted = [];
let sortedAt = -Infinity;
let mostRows = stepOfRows;
let selected = selectedAtFirst();
/** @type {ReturnType<typeof createDetailView> | undefined} */
let detail;

/** So that a link to a circuit, or a page that is loaded again, shows what it showed. */
function selectedAtFirst() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const { identity = '' } = /** @type {HTMLElement} */ (target).dataset;
      if (isIntersecting) onScreen.add(identity);
      else onScreen.delete(identity);
    }
    refreshTimelines();
  },
  { rootMargin: '200px' },
);

/** From the next rendering on. */
function sortAnew() {
  sortedAt = -Infinity;
}

/** Rows do not move under the hand of who uses them, but for a change of state. */
function sort() {
  const age = performance.now() - sortedAt;
  if (age < sortEveryMs || (age < Infinity && body.matches(':hover, :focus-within'))) return;
  const wanted = { words: search.value, kinds: wantedKinds, order: order.value };
  sorted = wantedRows(wanted).map(identityOf);
  sortedAt = performance.now();
}

/** @param {string} identity @param {Row} row */
function viewOf(identity, row) {
  const known = views.get(identity);
  if (known) return known;
  const made = createRowView(row, () => select(selected === identity ? '' : identity));
  made.tr.dataset.identity = identity;
  views.set(identity, made);
  watcher.observe(made.tr);
  return made;
}

/** @param {string} identity */
function select(identity) {
  selected = identity;
  detail?.close();
  detail = undefined;
  history.replaceState(null, '', '#' + encodeURIComponent(identity));
  render();
  refreshTimelines();
}

function renderRows() {
  sort();
  const shown = sorted.filter((identity) => rows.has(identity)).slice(0, mostRows);
  const trs = shown.flatMap((identity) => {
    const row = /** @type {Row} */ (rows.get(identity));
    const view = viewOf(identity, row);
    const isSelected = identity === selected;
    view.update(row);
    view.tr.classList.toggle('selected', isSelected);
    view.toggle.setAttribute('aria-expanded', String(isSelected));
    if (!isSelected) return [view.tr];
    detail ??= createDetailView(row);
    detail.update(row);
    return [view.tr, detail.tr];
  });
  arrange(trs);
  for (const [identity, { tr }] of views) {
    if (tr.isConnected) continue;
    watcher.unobserve(tr);
    onScreen.delete(identity);
    views.delete(identity);
  }
}

/** @param {HTMLTableRowElement[]} trs */
function arrange(trs) {
  const focused = document.activeElement;
  let next = body.firstElementChild;
  for (const tr of trs) {
    if (tr === next) next = next.nextElementSibling;
    else body.insertBefore(tr, next);
  }
  while (next !== null) {
    const rest = next.nextElementSibling;
    next.remove();
    next = rest;
  }
  // What is moved loses the focus.
  if (
    focused instanceof HTMLElement &&
    focused !== document.activeElement &&
    body.contains(focused)
  ) {
    focused.focus({ preventScroll: true });
  }
}

let isAsking = false;
let asksAgain = false;

/** Gets and draws the pictures of the rows that can be seen. */
function refreshTimelines() {
  asksAgain = isAsking;
  const ids = [...new Set([...onScreen, selected])].flatMap(
    (identity) => rows.get(identity)?.id ?? [],
  );
  if (isAsking || document.hidden || ids.length === 0) return;
  isAsking = true;
  void fetchTimelines(ids).finally(() => {
    isAsking = false;
    if (asksAgain) refreshTimelines();
  });
}

/** @param {number[]} ids */
async function fetchTimelines(ids) {
  try {
    const response = await fetch(base + 'timelines?' + ids.map((id) => 'id=' + id).join('&'));
    /** @type {import('../../timelines.js').Timelines} */
    const { timelines } = await response.json();
    for (const timeline of timelines) {
      const identity = identities.get(timeline.id) ?? '';
      views.get(identity)?.draw(timeline);
      if (identity === selected) detail?.draw(timeline);
    }
  } catch {
    // The stream notices, too, and says so.
  }
}
`;
