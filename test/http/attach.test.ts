import axios, { type AxiosInstance } from 'axios';
import { attach } from '../../src/http/attach.js';
import type { AxiosLike } from '../../src/http/axios-like.js';
import type { GuardGate } from '../../src/http/guard.js';

const gate = {} as GuardGate;

const targetWith = (request: object) =>
  ({
    interceptors: { request, response: { use: jest.fn(), eject: jest.fn() } },
  }) as unknown as AxiosLike;

function countHandlers(client: AxiosInstance): number {
  let handlers = 0;
  const { request } = client.interceptors as unknown as {
    request: { forEach(visit: () => void): void };
  };
  request.forEach(() => (handlers += 1));
  return handlers;
}

describe('attaching', () => {
  it('adds one request interceptor, and detaching takes it away again', () => {
    const client = axios.create();
    for (let round = 0; round < 1_000; round += 1) attach(client, gate)();
    attach(client, gate);
    expect(countHandlers(client)).toBe(1);
  });

  it('detaches once: a second time takes nobody else away', () => {
    const client = axios.create();
    const detach = attach(client, gate);
    detach();
    client.interceptors.request.use((config) => config);
    detach();
    expect(countHandlers(client)).toBe(1);
  });

  it("leaves the interceptor alone that got its id after somebody's clear()", () => {
    const use = jest.fn(() => 0);
    const eject = jest.fn();
    const handlers = [{ fulfilled: () => undefined }];
    const forEach = (visit: (handler: object) => void) => handlers.forEach(visit);
    const detach = attach(targetWith({ use, eject, forEach }), gate);
    detach();
    expect(eject).not.toHaveBeenCalled();
  });

  it('ejects where the registered interceptors cannot be listed', () => {
    const eject = jest.fn();
    const detach = attach(targetWith({ use: () => 7, eject }), gate);
    detach();
    expect(eject).toHaveBeenCalledWith(7);
  });

  it('registers as synchronous', () => {
    const use = jest.fn(() => 0);
    attach(targetWith({ use, eject: jest.fn() }), gate);
    expect(use).toHaveBeenCalledWith(expect.any(Function), undefined, { synchronous: true });
  });

  it.each([undefined, null, 'text'])('hands on what is no config: %p', (config) => {
    const use = jest.fn<number, [(config: unknown) => unknown]>(() => 0);
    attach(targetWith({ use, eject: jest.fn() }), gate);
    expect(use.mock.calls[0]?.[0](config)).toBe(config);
  });
});
