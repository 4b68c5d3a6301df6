import type { AxiosLike, RequestConfig } from './axios-like.js';
import type { Gate } from './dispatch.js';
import { withGuard, type GuardGate } from './guard.js';
import { answerFailure } from './instead.js';
import { takeFailed } from './settle.js';

/** What is used of an interceptor manager; no types of axios name `forEach`, which every axios has. */
interface Manager {
  eject(id: number): void;
  forEach?(visit: (handler: { readonly fulfilled?: unknown }) => void): void;
}

/** Puts a guard around every request of the instance. Returns the function that ends that. */
export function attach(instance: AxiosLike, gate: GuardGate): () => void {
  const { request, response } = instance.interceptors;
  const guardRequest = (config: unknown): unknown =>
    typeof config === 'object' && config !== null
      ? withGuard(gate, config as RequestConfig)
      : config;
  // Synchronous, so that a chain of synchronous interceptors stays one; it throws nothing.
  const requestId = request.use(guardRequest, undefined, { synchronous: true });
  const ejects = [() => ejectFrom(request, requestId, guardRequest)];
  if (gate.failed !== undefined) {
    const answerResponse = async (given: unknown) => (await failureAnswer(gate, given)) ?? given;
    const answerError = async (error: unknown) => {
      const answer = await failureAnswer(gate, error);
      if (answer === undefined) throw error;
      return answer;
    };
    const responseId = response.use(answerResponse, answerError);
    ejects.push(() => ejectFrom(response, responseId, answerResponse));
  }
  return () => {
    for (const eject of ejects.splice(0)) eject();
  };
}

/** The fallback's answer where an error, or a response, was counted as a failure. */
async function failureAnswer(gate: Gate, outcome: unknown): Promise<unknown> {
  const request = takeFailed(gate, outcome);
  return request && answerFailure(gate, request, outcome);
}

/** After somebody's clear() the id may be another interceptor's. */
function ejectFrom(manager: Manager, id: number, interceptor: unknown): void {
  let isRegistered = manager.forEach === undefined;
  manager.forEach?.((handler) => {
    isRegistered ||= handler.fulfilled === interceptor;
  });
  if (isRegistered) manager.eject(id);
}
