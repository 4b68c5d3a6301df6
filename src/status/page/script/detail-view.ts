/** What an opened row shows. */
export const detailView = /* js */ `
/** @type {Record<string, keyof Row['counts']>} */
const countNames = {
  Admitted: 'admitted',
  Succeeded: 'success',
  Failed: 'failure',
  Ignored: 'ignored',
  Slow: 'slow',
  Late: 'late',
  Refused: 'refused',
  Opened: 'opened',
};

/** @param {string} heading @param {string[]} names */
function createFacts(heading, names) {
  const list = element('dl');
  const values = names.map((name) => {
    const value = element('dd');
    list.append(element('dt', {}, name), value);
    return value;
  });
  return {
    content: element('section', {}, element('h3', {}, heading), list),
    /** @param {string[]} texts */
    update(texts) {
      for (const [index, value] of values.entries()) setText(value, texts[index] ?? '');
    },
  };
}

/** @param {Row} row */
function lastErrorText({ lastError }) {
  if (lastError === null) return 'none';
  const { message, code, status } = lastError;
  return [message, code, status === null ? null : 'status ' + status].filter(Boolean).join(' · ');
}

/** @param {Row} row */
function requestsText(row) {
  const outlook = outlookText(row);
  if (row.refuses) return 'refused, ' + outlook;
  return outlook === '' || row.state !== 'half-open' ? 'sent' : outlook;
}

/** @param {Row} row */
function createDetailView(row) {
  const chart = createChart();
  const now = createFacts('Now', ['State', 'Since', 'Requests', 'Last error']);
  const counts = createFacts('In total', Object.keys(countNames));
  const changes = element('ol');
  const facts = element(
    'div',
    { class: 'facts' },
    now.content,
    element('section', {}, element('h3', {}, 'Changes of state'), changes),
    counts.content,
  );
  const opened = element('div', { class: 'opened' }, chart.content, facts);
  if (hasControl) now.content.append(createCommands(row));
  const tr = element(
    'tr',
    { role: 'row', class: 'detail' },
    element('td', { role: 'cell', colspan: '10' }, opened),
  );

  return {
    tr,
    close: chart.close,
    /** @param {Row} news */
    update(news) {
      const state = [kinds[kindOf(news)].label, reasonText(news.openReason)]
        .filter(Boolean)
        .join(', ');
      const since = timeText(dateOf(news.since)) + ', for ' + spanText(serverTime() - news.since);
      now.update([state, since, requestsText(news), lastErrorText(news)]);
      counts.update(Object.values(countNames).map((name) => countText(news.counts[name])));
    },
    /** @param {DrawnTimeline} timeline */
    draw(timeline) {
      chart.draw(timeline);
      const items = timeline.changes.map(({ at, state, reason }) => {
        const why = reason === undefined ? '' : ', ' + reasonText(reason);
        return element(
          'li',
          {},
          timeText(dateOf(at)) + ' ',
          element('strong', {}, kinds[state].label),
          why,
        );
      });
      const none = element('li', { class: 'soft' }, 'None since this page is watching');
      changes.replaceChildren(...(items.length > 0 ? items : [none]));
    },
  };
}
`;
