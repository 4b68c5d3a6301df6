/** How an exchange ended. */
export type Ending = { readonly response: unknown } | { readonly error: unknown };

export function endingOf(exchange: Promise<unknown>): Promise<Ending> {
  return exchange.then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );
}
