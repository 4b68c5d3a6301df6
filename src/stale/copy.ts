interface BufferLike {
  isBuffer(value: unknown): value is Uint8Array;
  from(bytes: ArrayBuffer): Uint8Array;
}

/** A copy that has nothing in common with what was given; `undefined` where there can be none. */
export function copyOf(data: unknown): { readonly data: unknown } | undefined {
  try {
    return { data: copyOfBuffer(data) ?? structuredClone(data) };
  } catch {
    return undefined;
  }
}

/** A clone would be no Buffer, and bring along the pool of which this one is a part. */
function copyOfBuffer(data: unknown): Uint8Array | undefined {
  const { Buffer } = globalThis as { Buffer?: BufferLike };
  return Buffer?.isBuffer(data) ? Buffer.from(new Uint8Array(data).buffer) : undefined;
}
