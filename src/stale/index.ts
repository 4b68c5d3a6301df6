export { serveStale, type ServeStaleOptions, type StaleFallback } from './serve-stale.js';
