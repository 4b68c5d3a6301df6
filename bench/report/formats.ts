/** How figures are written; what there is none of is a dash. */
const unlessNone = (write: (value: number) => string) => (value: number | undefined) =>
  value === undefined ? '–' : write(value);

/** At most so many digits after the point. */
const digits = (value: number, most: number) => String(Number(value.toFixed(most)));

export const count = unlessNone((value) => digits(value, value < 100 ? 1 : 0));
export const percent = unlessNone((value) => `${digits(value * 100, 2)} %`);
export const duration = unlessNone((ms) =>
  ms < 1_000 ? `${digits(ms, 0)} ms` : `${digits(ms / 1_000, 2)} s`,
);
