import type { Asked } from './asked.js';

interface NodeCrypto {
  createHash(algorithm: string): { update(text: string): { digest(encoding: 'hex'): string } };
}

interface Environment {
  readonly crypto?: Partial<Crypto>;
  readonly process?: { getBuiltinModule?(name: string): NodeCrypto | undefined };
}

/**
 * The key of a request, in which no credential can be read; nothing where there may be one and no way to
 * hide it: browsers have SHA-256 in secure contexts only.
 */
export async function keyOf({ text, credentials }: Asked): Promise<string | undefined> {
  if (credentials.areNone) return text;
  const { crypto, process } = globalThis as Environment;
  // In Node, `subtle` would wait for threads that hung look-ups of names may keep busy.
  const node = process?.getBuiltinModule?.('node:crypto');
  if (node !== undefined) return node.createHash('sha256').update(text).digest('hex');
  if (crypto?.subtle === undefined) return undefined;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
