/** What is used of Node here, where the build knows nothing of it: the other entries run in browsers, too. */
declare module 'node:crypto' {
  export function createHash(algorithm: 'sha1' | 'sha256'): {
    update(text: string): { digest(encoding: 'base64url' | 'hex'): string };
  };
  export function randomUUID(): string;
}

declare module 'node:timers' {
  export function setImmediate(callback: () => void): unknown;
}
