import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** Where the alert rules are, and what tests them. */
export const rulesFile = join(root, 'alerts/axios-circuit-guard.rules.yml');
export const rulesTestFile = join(root, 'alerts/axios-circuit-guard.test.yml');

export const rules = readFileSync(rulesFile, 'utf8');

/** What is used of a dashboard. */
interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; definition?: string }[] };
}

export const dashboard = JSON.parse(
  readFileSync(join(root, 'dashboards/axios-circuit-guard.json'), 'utf8'),
) as Dashboard;

/** Every query of the dashboard as plain PromQL, with nothing for Grafana to fill in. */
export const dashboardQueries = dashboard.panels
  .flatMap(({ targets }) => targets.map(({ expr }) => expr))
  .map((expr) => expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(breaker|key)\b/g, '.*'));

/** A metric that is asked for, with the matchers of its selector: `{ state: ['open', 'half-open'] }`. */
export interface Selector {
  readonly metric: string;
  readonly matchers: Readonly<Record<string, readonly string[]>>;
}

/** The metrics that PromQL, or a text about it, names. */
export function selectorsIn(text: string): Selector[] {
  return [...text.matchAll(/\b(axios_circuit_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', inside = '']) => ({ metric, matchers: matchersIn(inside) }),
  );
}

function matchersIn(text: string): Selector['matchers'] {
  const found = [...text.matchAll(/(\w+)\s*(?:=~|=|!=|!~)\s*"([^"]*)"/g)];
  return Object.fromEntries(found.map(([, label = '', values = '']) => [label, values.split('|')]));
}

/** The labels that PromQL groups by, and that texts show. */
export function labelsIn(text: string): string[] {
  const groups = [...text.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)];
  const shown = [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)];
  return [
    ...groups.flatMap(([, labels = '']) => labels.split(/\s*,\s*/)),
    ...shown.map(([, label = '']) => label),
  ];
}
