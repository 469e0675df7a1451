import { QueueConsumer, type QueueConsumerOptions } from '../platform/queues/queue-consumer.js';
import { JOB_BATCH_QUEUE, type JobBatchPayload } from './job-batch.queue.js';
import type { ChunkService } from './chunks/chunk.service.js';
import type { Planner } from './planning/planner.js';
import type { ResultWriter } from './completion/result-writer.js';

export interface JobBatchServices {
  readonly planner: Pick<Planner, 'run'>;
  readonly chunks: Pick<ChunkService, 'run'>;
  readonly resultWriter: Pick<ResultWriter, 'run'>;
}

/** Serves the queue of jobs. */
export class JobBatchProcessor extends QueueConsumer<JobBatchPayload> {
  constructor(
    { planner, chunks, resultWriter }: JobBatchServices,
    options: Omit<QueueConsumerOptions<JobBatchPayload>, 'queue' | 'handle'>,
  ) {
    super({
      ...options,
      queue: JOB_BATCH_QUEUE,
      handle: (payload, stop) => {
        const { kind, jobId, chunk } = payload;
        if (kind === 'chunk') return chunks.run(jobId, chunk!, stop);
        return (kind === 'plan' ? planner : resultWriter).run(jobId, stop);
      },
    });
  }
}
