/** What stands around the rows, and what a screen reader is told. */
export const overview = /* js */ `
const heading = document.title;

const filters = kindOrder.map((kind) => {
  const text = element('span');
  const button = element(
    'button',
    { type: 'button', class: 'filter', 'aria-pressed': 'false' },
    icon(kind),
    text,
  );
  button.dataset.tone = kinds[kind].tone;
  button.addEventListener('click', () => {
    if (!wantedKinds.delete(kind)) wantedKinds.add(kind);
    button.setAttribute('aria-pressed', String(wantedKinds.has(kind)));
    sortAnew();
    render();
  });
  byId('filters').append(button);
  return { kind, button, text };
});

function renderOverview() {
  const counts = countKinds();
  const refusing = [...rows.values()].filter(({ refuses }) => refuses).length;
  setText(byId('summary'), summaryText(refusing, counts.get('closed') ?? 0));
  document.title = (refusing === 0 ? '' : '(' + refusing + ') ') + heading;
  for (const { kind, button, text } of filters) {
    const count = counts.get(kind) ?? 0;
    button.hidden = count === 0 && !wantedKinds.has(kind);
    setText(text, kinds[kind].label + ' ' + countText(count));
  }
  const isEmpty = sorted.length === 0;
  byId('circuits').hidden = isEmpty;
  byId('empty').hidden = !isEmpty;
  setText(
    byId('empty'),
    rows.size === 0 ? 'No breaker is watched yet.' : 'No circuit is like that.',
  );
  byId('more').hidden = sorted.length <= mostRows;
  setText(byId('more-text'), mostRows + ' of ' + countText(sorted.length) + ' circuits are shown.');
}

/** @param {number} refusing @param {number} closed */
function summaryText(refusing, closed) {
  if (rows.size === 0) return 'No circuits';
  const isOnly = rows.size === 1;
  const all = countText(rows.size) + ' circuits';
  if (refusing > 0) {
    return isOnly
      ? 'The circuit refuses requests'
      : countText(refusing) +
          ' of ' +
          all +
          (refusing === 1 ? ' refuses' : ' refuse') +
          ' requests';
  }
  if (closed < rows.size)
    return isOnly ? 'The circuit refuses nothing' : 'None of ' + all + ' refuses requests';
  return isOnly ? 'The circuit is closed' : 'All ' + all + ' are closed';
}

/** @param {Row[]} changed */
function announce(changed) {
  const opened = changed.filter(({ state }) => state === 'open' || state === 'forced-open');
  const closed = changed.filter(({ state }) => state === 'closed');
  if (opened.length + closed.length === 0) return;
  const texts = [...opened, ...closed].map((row) => {
    const why = reasonText(row.openReason);
    return nameOf(row) + ': ' + kinds[kindOf(row)].label.toLowerCase() + (why && ', ' + why);
  });
  const short = opened.length + ' circuits opened, ' + closed.length + ' closed';
  setText(byId('announcements'), (texts.length > 3 ? short : texts.join('. ')) + '.');
}
`;
