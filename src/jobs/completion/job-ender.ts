import { Logger } from '@nestjs/common';
import type { JobBatchProducer } from '../job-batch.queue.js';
import type { EndingRepository } from './ending.repository.js';
import type { OutcomeSource } from '../outcomes/outcome.js';

export interface JobEnderParts {
  readonly repository: Pick<EndingRepository, 'close' | 'giveBackSome'>;
  readonly queue: Pick<JobBatchProducer, 'shape'>;
  readonly onEntries?: (source: OutcomeSource, entries: number) => void;
}

/** Ends jobs whose time is over: what is left of them has no verdict, and is given back (decisions 7.2). */
export class JobEnder {
  private readonly logger = new Logger('Jobs');

  constructor(private readonly parts: JobEnderParts) {}

  /**
   * In several transactions; one that was interrupted goes on where it was.
   * @param why for operators
   */
  async end(jobId: string, why: string): Promise<void> {
    const { repository, queue, onEntries } = this.parts;
    await repository.close(jobId);
    let entries = 0;
    for (;;) {
      const { some, isLast } = await repository.giveBackSome(jobId, entries === 0 ? why : null);
      entries += some;
      if (some > 0) onEntries?.('unavailable', some);
      if (isLast) break;
    }
    if (entries > 0)
      this.logger.warn({ verificationJob: jobId, entries, why }, 'a job ends without all of its verdicts');
    queue.shape(jobId);
  }
}
