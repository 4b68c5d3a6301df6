import { describe } from '../describe.js';

const encoder = new TextEncoder();

/** What somebody must know who gives commands. */
export class Token {
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly #key = crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);

  /** @throws TypeError or RangeError where it is too easy to guess, or fits in no header. */
  constructor(secret: unknown) {
    if (typeof secret !== 'string') {
      throw new TypeError(
        `Expected \`token\` to be a string where \`control\` is true, got ${describe(secret)}`,
      );
    }
    if (!/^[\x21-\x7e]{16,}$/.test(secret)) {
      // Not what it is: messages end in logs.
      throw new RangeError(
        `Expected \`token\` to be at least 16 visible ASCII characters, got ${secret.length} characters`,
      );
    }
    this.#secret = encoder.encode(secret);
  }

  /** Takes as long whatever was guessed right: signatures are compared, by a key that nobody knows. */
  async matches(guess: string): Promise<boolean> {
    const key = await this.#key;
    const signature = await crypto.subtle.sign('HMAC', key, this.#secret);
    return crypto.subtle.verify('HMAC', key, signature, encoder.encode(guess));
  }
}
