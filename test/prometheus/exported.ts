import { startTraffic } from './traffic.js';

/** What was scraped: the labels of each metric, each with its values. */
export type Exported = Map<string, Map<string, Set<string>>>;

/** After traffic in which everything has happened that has a metric. */
export async function exportedNow(): Promise<Exported> {
  const { breaker, clock, get, scrape, close } = await startTraffic();
  await get('/status/200', 2);
  await get('/broken', 9);
  clock.advance(1_000);
  await get('/broken');
  breaker.open('/manual');
  const { text } = await scrape();
  await close();
  const exported: Exported = new Map();
  for (const [, metric = '', inside = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    const labels = exported.get(metric) ?? new Map<string, Set<string>>();
    exported.set(metric, labels);
    for (const [, label = '', value = ''] of inside.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
  }
  return exported;
}

/** `a_seconds_bucket` is of the histogram `a_seconds`. */
export const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '');
