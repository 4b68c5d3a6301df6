export { exportMetrics, type MetricsOptions } from './export-metrics.js';
export type { MetricsRegistry } from './exporter.js';
