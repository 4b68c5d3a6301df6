export { bullmqQueue, type BullmqQueueOptions, type JobQueue } from './bullmq-queue.js';
export {
  replay,
  type PausableQueue,
  type ReplayClient,
  type ReplayOptions,
  type ReplayProcessor,
  type StoredJob,
} from './replay.js';
