import { Injectable, Logger } from '@nestjs/common';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { MaintenanceEvery } from '../../platform/queues/maintenance-every.js';
import { ListRefresher } from './list-refresher.js';
import { RefreshMetrics } from './refresh-metrics.js';
import type { RefreshOutcome } from './refresh-lists.service.js';

/** Fetches the due lists of `LIST_URLS`, one after the other. */
@Injectable()
export class RefreshListsTask {
  private readonly logger = new Logger('Lists');

  constructor(
    private readonly refresher: ListRefresher,
    private readonly secrets: AppSecrets,
    private readonly metrics: RefreshMetrics,
  ) {}

  @MaintenanceEvery(60_000, 'refresh-lists')
  async run(signal: AbortSignal): Promise<void> {
    for (const list of this.secrets.listUrls) {
      if (signal.aborted) return;
      const outcome = await this.refresher.lists.refresh(list, signal);
      // The process is stopping: not the source's fault.
      if (signal.aborted) return;
      this.metrics.count(outcome);
      this.log(outcome);
    }
  }

  private log(outcome: RefreshOutcome): void {
    const { name: list } = outcome;
    if (outcome.outcome === 'refused') {
      this.logger.warn(
        { list, why: outcome.why },
        `a list was refused, the previous one stays in force: ${outcome.said}`,
      );
    } else if (outcome.outcome === 'changed') {
      const { entries, passedOver } = outcome;
      this.logger.log({ list, entries, passedOver }, 'a new list is in force');
    }
  }
}
