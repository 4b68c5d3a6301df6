export { statusPage, type StatusPage } from './status-page.js';
export type { BreakerList } from './board.js';
export type { CircuitStatus } from './circuit-status.js';
export type { StatusRequest, StatusResponse } from './http.js';
export type { StatusPageOptions } from './options.js';
export type { ShownBreaker } from './watched-breaker.js';
