import type { CircuitBreakerOptions } from '../../src/index.js';
import type { Treat } from './service.js';

/** What the shop needs: how it is guarded, how often it is asked, and how it answers. */
export interface Dependency {
  readonly name: string;
  readonly options: CircuitBreakerOptions;
  readonly perSecond: number;
  readonly treat: Treat;
  /** Asked in turn; each is a circuit of its own where the options have a `key`. */
  readonly urls?: readonly string[];
}

const minute = 60_000;
const usual = { requestTimeout: 3_000, slowCallDuration: 1_000 };
const healthy: Treat = (_at, _url, chance) => ({ ms: 40 + 140 * chance ** 4 });

/** Down since a minute ago, and once for a moment before. */
const payments: Treat = (at, url, chance) => {
  if (at > 9.1 * minute) return { ms: 3, status: 'refused' };
  const isShaky = at > 2.5 * minute && at < 3 * minute;
  return isShaky && chance > 0.35 ? { ms: 90, status: 503 } : healthy(at, url, chance);
};

/** Sixty requests in two minutes, and then it wants its rest. */
const rates: Treat = (at, url, chance) => {
  const spent = at % (2 * minute);
  if (spent < 88_000) return healthy(at, url, chance);
  const rest = String(Math.ceil((2 * minute - spent) / 1000));
  return { ms: 20, status: 429, headers: { 'retry-after': rest } };
};

const warehouses: Treat = (at, url, chance) =>
  url === 'oslo' && at > 8.6 * minute ? { ms: 1_900 + 500 * chance } : healthy(at, url, chance);

const sometimesBad =
  (share: number, since = 0): Treat =>
  (at, url, chance) =>
    at >= since && chance < share ? { ms: 70, status: 502 } : healthy(at, url, (chance * 7) % 1);

export const dependencies: readonly Dependency[] = [
  { name: 'payments', options: usual, perSecond: 6, treat: payments },
  { name: 'search', options: usual, perSecond: 14, treat: sometimesBad(0.012) },
  {
    name: 'warehouses',
    options: { ...usual, key: ({ url = '' }) => url },
    urls: ['berlin', 'madrid', 'oslo'],
    perSecond: 9,
    treat: warehouses,
  },
  {
    name: 'exchange-rates',
    options: { errorHandler: ({ response }) => response?.status === 429 },
    perSecond: 1.5,
    treat: rates,
  },
  {
    name: 'recommendations',
    options: { ...usual, mode: 'observe' },
    perSecond: 5,
    treat: sometimesBad(0.7, 8 * minute),
  },
  {
    name: 'reports',
    options: { maxConcurrent: 4, maxQueued: 20 },
    perSecond: 4,
    treat: (_at, _url, chance) => ({ ms: 500 + 900 * chance }),
  },
  { name: 'mail', options: usual, perSecond: 2, treat: sometimesBad(0.25, 5 * minute) },
  { name: 'legacy-tax', options: usual, perSecond: 1, treat: healthy },
];
