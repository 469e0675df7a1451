import { Injectable, Logger } from '@nestjs/common';
import { JobBatchProducer } from '../job-batch.queue.js';
import { JobMetrics } from '../job-metrics.js';
import { JobEndingRepository } from './job-ending.repository.js';

/** Ends jobs whose time is over: their open entries get no verdict and are refunded (decisions 7.2). */
@Injectable()
export class JobEnder {
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly repository: JobEndingRepository,
    private readonly queue: JobBatchProducer,
    private readonly metrics: JobMetrics,
  ) {}

  /**
   * Ends a job in several transactions. A repeat continues where an interrupted call stopped.
   * @param why the reason that the log gives to operators
   */
  async endJob(jobId: string, why: string): Promise<void> {
    const { repository, queue, metrics } = this;
    await repository.closeJob(jobId);
    let entries = 0;
    for (;;) {
      const { some, isLast } = await repository.refundSome(jobId, entries === 0 ? why : null);
      entries += some;
      if (some > 0) metrics.onEntries('unavailable', some);
      if (isLast) break;
    }
    if (entries > 0)
      this.logger.warn({ verificationJob: jobId, entries, why }, 'a job ends with entries without a verdict');
    queue.queueResultWriting(jobId);
  }
}
