import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import { ProbeEndingsRepository } from './probe-endings.repository.js';
import { SmtpProbeProducer } from './smtp-probe.queue.js';
import { ReconciliationRepository } from './reconciliation.repository.js';

/** Bounds of one run; the next run continues. */
const MAX_DUE = 500;
const MAX_OVERDUE = 100;
const MAX_LATE = 200;
const MAX_DELETED = 500;

/**
 * Ends every pending probe from MySQL alone, even if Redis lost its queue (decisions 6.8): queues due probes again,
 * ends overdue ones, and settles charges that were committed after their probe had ended. Every worker that serves the
 * queue runs one; several do no harm.
 */
@Injectable()
export class Reconciler extends PeriodicTask {
  protected readonly logger = new Logger('Reconciler');
  protected readonly failureMessage = 'pending probes could not be looked after; trying again';
  private page: string | null = null;

  constructor(
    private readonly repository: ReconciliationRepository,
    private readonly endings: ProbeEndingsRepository,
    private readonly queue: SmtpProbeProducer,
  ) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    const { repository, queue } = this;
    queue.queueProbes(await repository.takeDue(MAX_DUE), true);
    await this.endOverdue();
    if (!this.stopped) this.page = await repository.settleLate(MAX_LATE, this.page);
    if (!this.stopped) await repository.deleteEnded(MAX_DELETED);
  }

  private async endOverdue(): Promise<void> {
    const { repository, endings } = this;
    for (const id of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      const ended = await endings.fail(id, 'it had no ending within an hour');
      if (ended) this.logger.warn('a probe ends without a verdict: it had no ending within an hour');
    }
  }
}
