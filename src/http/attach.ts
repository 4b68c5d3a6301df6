import type { AxiosLike, RequestConfig } from './axios-like.js';
import { withGuard, type Gate } from './guard.js';

/** Goes through the interceptors that are registered; every axios has it, no types of axios name it. */
interface Registered {
  forEach?(visit: (handler: { readonly fulfilled?: unknown }) => void): void;
}

/** Puts a guard around every request of the instance. Returns the function that ends that. */
export function attach(instance: AxiosLike, gate: Gate): () => void {
  const manager = instance.interceptors.request;
  const guardRequest = (config: unknown): unknown =>
    typeof config === 'object' && config !== null
      ? withGuard(gate, config as RequestConfig)
      : config;
  // Synchronous, so that a chain of synchronous interceptors stays one; it throws nothing.
  const id = manager.use(guardRequest, undefined, { synchronous: true });
  let isAttached = true;
  return () => {
    // After somebody's clear() the id may be another interceptor's.
    if (isAttached && isRegistered(manager as Registered, guardRequest)) manager.eject(id);
    isAttached = false;
  };
}

function isRegistered(manager: Registered, interceptor: unknown): boolean {
  let found = manager.forEach === undefined;
  manager.forEach?.((handler) => {
    found ||= handler.fulfilled === interceptor;
  });
  return found;
}
