import type { MetricsRegistry } from '../../src/prometheus/index.js';

/** The lines of a scrape that begin so, with what they say: `{ 'up{job="a"}': 1 }`. */
export async function samples(
  registry: MetricsRegistry,
  beginning = '',
): Promise<Record<string, number>> {
  return samplesIn(await registry.metrics(), beginning);
}

/** The same of a text that was scraped. */
export function samplesIn(text: string, beginning = ''): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const all = lines.map((line) => {
    const end = line.lastIndexOf(' ');
    return [line.slice(0, end), Number(line.slice(end + 1).replace('Inf', 'Infinity'))] as const;
  });
  return Object.fromEntries(all.filter(([series]) => series.startsWith(beginning)));
}
