import type { CircuitBreakerOptions } from '../../src/index.js';

/** What a process of a fleet is told to do. */
export type Order =
  /** To guard a server, and to ask it for the paths again and again; each path has a circuit. */
  | { readonly order: 'guard'; readonly guard: string; readonly work: Work }
  /** To say how it went; what it says begins anew then. */
  | { readonly order: 'report'; readonly guard: string };

export interface Work {
  readonly url: string;
  readonly paths: readonly string[];
  /** Between two requests for a path, on average, in ms. */
  readonly every: number;
  readonly isShared: boolean;
  readonly options: CircuitBreakerOptions;
}

/** What it says; times are those of `Date.now()`. */
export type Said =
  | { readonly said: 'ready' }
  | {
      readonly said: 'OPEN' | 'HALF_OPEN' | 'CLOSE';
      readonly guard: string;
      readonly path: string;
      readonly at: number;
      readonly reason?: string;
    }
  | { readonly said: 'report'; readonly guard: string; readonly report: Report };

export interface Report {
  passed: number;
  failed: number;
  refused: number;
  /** The longest that its event loop was held up, in ms. */
  heldUp: number;
  /** Of each path. */
  states: Record<string, string>;
}
