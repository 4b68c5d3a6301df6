import { exportedNow, familyOf, type Exported } from './exported.js';
import {
  dashboard,
  dashboardQueries,
  labelsIn,
  rules,
  selectorsIn,
  type Selector,
} from './shipped.js';

const states = ['closed', 'open', 'half-open', 'forced-open', 'disabled'];

/** What of a selector nobody exports. */
function unknownIn({ metric, matchers }: Selector, exported: Exported): string[] {
  const labels = exported.get(metric);
  if (labels === undefined) return [metric];
  return Object.entries(matchers).flatMap(([label, values]) => {
    const isState = ['state', 'from', 'to'].includes(label);
    const known = isState ? states : [...(labels.get(label) ?? []), '.*'];
    if (!labels.has(label)) return [`${metric}{${label}}`];
    return values.filter((value) => !known.includes(value)).map((value) => `${metric}: ${value}`);
  });
}

describe('what is shipped', () => {
  let exported: Exported;
  beforeAll(async () => void (exported = await exportedNow()));

  const variables = dashboard.templating.list.map(({ definition = '' }) => definition);

  it.each([
    ['the alert rules', rules],
    ['the dashboard', dashboardQueries.join('\n')],
    ['the variables of the dashboard', variables.join('\n').replaceAll('$breaker', '.*')],
  ])('names in %s only metrics, labels and values that are exported', (_what, text) => {
    const selectors = selectorsIn(text);
    expect(selectors.length).toBeGreaterThan(0);
    expect(selectors.flatMap((selector) => unknownIn(selector, exported))).toEqual([]);
  });

  it('groups by, and shows, only labels that are exported', () => {
    const legends = dashboard.panels.flatMap(({ targets }) =>
      targets.map(({ legendFormat }) => legendFormat),
    );
    const used = labelsIn([rules, ...dashboardQueries, ...legends].join('\n'));
    const known = new Set([...exported.values()].flatMap((labels) => [...labels.keys()]));
    expect(new Set(used).size).toBeGreaterThan(5);
    expect(used.filter((label) => !known.has(label))).toEqual([]);
  });

  it('shows every metric on the dashboard but the states, which it shows as a code, and the wait', () => {
    const shown = new Set(dashboardQueries.flatMap(selectorsIn).map(({ metric }) => metric));
    const hidden = [...exported.keys()]
      .map(familyOf)
      .filter((family) => ![...shown].some((metric) => familyOf(metric) === family));
    expect([...new Set(hidden)]).toEqual([
      'axios_circuit_state',
      'axios_circuit_retry_after_seconds',
    ]);
  });

  it('asks no data source in the dashboard but the one that is chosen', () => {
    const uids = JSON.stringify(dashboard).match(/(?<="uid":")[^"]*/g) ?? [];
    const chosen = ['${datasource}', '-- Grafana --', 'axios-circuit-guard'];
    expect(uids.filter((uid) => !chosen.includes(uid))).toEqual([]);
    expect(dashboard.templating.list.map(({ name }) => name)).toEqual([
      'datasource',
      'breaker',
      'key',
    ]);
  });
});
