import { Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import type { ProbeEndingsRepository } from './probe-endings.repository.js';
import type { SmtpProbeProducer } from './smtp-probe.queue.js';
import type { ReconciliationRepository } from './reconciliation.repository.js';

export interface ReconcilerParts {
  readonly repository: ReconciliationRepository;
  readonly endings: Pick<ProbeEndingsRepository, 'fail'>;
  readonly queue: Pick<SmtpProbeProducer, 'add'>;
}

/** In one round; there is a next one. */
const MAX_DUE = 500;
const MAX_OVERDUE = 100;
const MAX_LATE = 200;
const MAX_DELETED = 500;

/**
 * Sees to it that no address stays pending, by MySQL alone, whatever Redis has lost (decisions 6.8): puts due probes on the
 * queue again, ends those whose time is over, and settles what was charged after its probe had ended. It runs in every worker
 * that serves the queue; several of them do no harm.
 */
export class Reconciler extends PeriodicTask {
  protected readonly logger = new Logger('Reconciler');
  protected readonly failureMessage = 'pending probes could not be looked after; trying again';
  private page: string | null = null;

  constructor(private readonly parts: ReconcilerParts) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    const { repository, queue } = this.parts;
    queue.add(await repository.takeDue(MAX_DUE), true);
    await this.endOverdue();
    if (!this.stopped) this.page = await repository.settleLate(MAX_LATE, this.page);
    if (!this.stopped) await repository.deleteFailed(MAX_DELETED);
  }

  private async endOverdue(): Promise<void> {
    const { repository, endings } = this.parts;
    for (const id of await repository.overdue(MAX_OVERDUE)) {
      if (this.stopped) return;
      const ended = await endings.fail(id, 'it had no ending within an hour');
      if (ended) this.logger.warn('a probe ends without a verdict: it had no ending within an hour');
    }
  }
}
