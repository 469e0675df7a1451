import { Processor } from '@nestjs/bullmq';
import { AppConfig } from '../platform/config/app-config.js';
import { QueueWorkerHost } from '../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../platform/queues/worker-host-services.js';
import type { JobEnding } from '../platform/queues/work-queue.js';
import { ChunkService } from './chunks/chunk.service.js';
import { ResultWriter } from './completion/result-writer.js';
import { chunksAtOnce } from './chunks/chunks-at-once.js';
import { JOB_BATCH_QUEUE, type JobBatchPayload } from './job-batch.queue.js';
import { Planner } from './planning/planner.js';

/** Serves the queue of jobs. */
@Processor(JOB_BATCH_QUEUE.name, { autorun: false })
export class JobBatchProcessor extends QueueWorkerHost<JobBatchPayload> {
  constructor(
    private readonly planner: Planner,
    private readonly chunks: ChunkService,
    private readonly resultWriter: ResultWriter,
    services: WorkerHostServices,
    { worker }: AppConfig,
  ) {
    super(JOB_BATCH_QUEUE, services, { concurrency: chunksAtOnce(worker.concurrency) });
  }

  protected override handle({ kind, jobId, chunk }: JobBatchPayload, stop: AbortSignal): Promise<JobEnding> {
    if (kind === 'chunk') return this.chunks.runChunk(jobId, chunk!, stop);
    if (kind === 'plan') return this.planner.planJob(jobId, stop);
    return this.resultWriter.writeResults(jobId, stop);
  }
}
