/** How many of the recent calls were bad: failed in one window, slow in another. */
export interface Window {
  record(now: number, bad: boolean): void;
  figures(now: number): WindowFigures;
}

export interface WindowFigures {
  readonly calls: number;
  readonly bad: number;
}

export type WindowRule =
  | { readonly kind: 'time'; readonly duration: number }
  | { readonly kind: 'count'; readonly size: number };

export const noCalls: WindowFigures = { calls: 0, bad: 0 };

/** The share of bad calls; 0 when there were none. */
export function share({ calls, bad }: WindowFigures): number {
  return calls === 0 ? 0 : bad / calls;
}
