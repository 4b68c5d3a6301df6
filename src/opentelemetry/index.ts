export { exportTelemetry, type TelemetryOptions } from './export-telemetry.js';
