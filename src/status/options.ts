import { clock, ofType, readOptions, text, type Check } from '../checks.js';
import { systemClock, type Clock } from '../circuit/clock.js';
import { Token } from './token.js';

/** How a status page looks and what it allows. Checked once: a bad value throws. */
export interface StatusPageOptions {
  /**
   * The heading of the page.
   * @default 'Circuit breakers'
   */
  readonly title?: string | undefined;
  /**
   * Where the page is, where nothing in front takes that part off the URL as express's
   * `app.use('/breakers', …)` does. Begins with a slash.
   * @default '/'
   */
  readonly path?: string | undefined;
  /**
   * Whether circuits can be opened, closed and disabled from the page, by who knows the `token`.
   * @default false
   */
  readonly control?: boolean | undefined;
  /** What commands are to be sent with, where `control` is true. At least 16 visible ASCII characters. */
  readonly token?: string | undefined;
  /**
   * Where the page takes the time and its timers from.
   * @default monotonic time and real timers
   */
  readonly clock?: Clock | undefined;
}

export interface Settings {
  readonly title: string;
  /** Without a slash at the end. */
  readonly path: string;
  /** Where there is none, there are no commands. */
  readonly token: Token | undefined;
  readonly clock: Clock;
}

const checks: Record<keyof StatusPageOptions, Check> = {
  title: text,
  path: ofType('string', 'a path that begins with a slash', (path) =>
    /^\/[^?#]*$/.test(String(path)),
  ),
  control: ofType('boolean', 'true or false'),
  token: ofType('string', 'a string'),
  clock,
};

/** @throws TypeError or RangeError where an option is unknown or bad. */
export function resolve(given: StatusPageOptions): Settings {
  const options = readOptions(given, checks);
  return {
    title: options.title ?? 'Circuit breakers',
    path: (options.path ?? '/').replace(/\/+$/, ''),
    token: options.control ? new Token(options.token) : undefined,
    clock: options.clock ?? systemClock,
  };
}
