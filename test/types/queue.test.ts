import type { AxiosInstance, AxiosStatic } from 'axios';
import type * as Axios0272 from 'axios-0.27.2';
import type * as Axios179 from 'axios-1.7.9';
import type { Processor, Queue, Worker } from 'bullmq';
import { expectTypeOf } from 'expect-type';
import {
  bullmqQueue,
  replay,
  type BullmqQueueOptions,
  type JobQueue,
  type PausableQueue,
  type ReplayClient,
  type ReplayProcessor,
} from '../../src/bullmq/index.js';
import type { AddToQueue, QueuedRequest } from '../../src/index.js';

describe('the types of the durable queue', () => {
  it('take any queue of BullMQ, whatever it is said to hold', () => {
    expectTypeOf<Queue>().toExtend<JobQueue & PausableQueue>();
    expectTypeOf<Queue<QueuedRequest, { status: number }, 'request'>>().toExtend<
      JobQueue & PausableQueue
    >();
    expectTypeOf(bullmqQueue).returns.toEqualTypeOf<AddToQueue>();
  });

  it('give a processor for any worker', () => {
    expectTypeOf(replay).returns.toEqualTypeOf<ReplayProcessor>();
    expectTypeOf<ReplayProcessor>().toExtend<Processor>();
    expectTypeOf<ReplayProcessor>().toExtend<Processor<QueuedRequest, { status: number }>>();
  });

  it('take the client of any axios', () => {
    expectTypeOf<AxiosInstance>().toExtend<ReplayClient>();
    expectTypeOf<AxiosStatic>().toExtend<ReplayClient>();
    expectTypeOf<Axios0272.AxiosInstance>().toExtend<ReplayClient>();
    expectTypeOf<Axios179.AxiosInstance>().toExtend<ReplayClient>();
    expectTypeOf<Worker>().not.toExtend<ReplayClient>();
  });

  it('know no option that would make one job of two requests', () => {
    expectTypeOf<BullmqQueueOptions>().not.toExtend<{ jobOptions: { jobId: string } }>();
    const queue = { add: () => Promise.resolve({ id: '1' }) };
    // @ts-expect-error -- each request has a job of its own
    expect(() => bullmqQueue(queue, { jobOptions: { jobId: 'one' } })).toThrow(RangeError);
  });
});
