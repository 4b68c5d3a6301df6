declare module 'opossum' {
  /** What is used of it; it ships no types of its own. */
  export default class CircuitBreaker<Args extends unknown[]> {
    constructor(
      action: (...args: Args) => Promise<unknown>,
      options?: { timeout?: number | false; resetTimeout?: number },
    );
    fire(...args: Args): Promise<unknown>;
    open(): void;
    on(event: 'open', listener: () => void): this;
  }
}
