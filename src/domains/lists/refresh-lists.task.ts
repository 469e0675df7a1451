import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { ListUrl } from '../../platform/config/list-urls.js';
import { MaintenanceTask } from '../../platform/queues/maintenance-task.js';
import type { ListRefresher } from './create-list-refresher.js';
import type { RefreshOutcome } from './refresh-lists.service.js';

export interface RefreshListsTaskParts {
  readonly refresher: ListRefresher;
  /** Of `LIST_URLS`; empty: nothing is fetched, and what was fetched before stays. */
  readonly urls: readonly ListUrl[];
  readonly onOutcome: (outcome: RefreshOutcome) => void;
}

/** Fetches the lists that are due, one after the other. */
export class RefreshListsTask extends MaintenanceTask implements OnApplicationShutdown {
  readonly name = 'refresh-lists';
  readonly everyMs = 60_000;
  private readonly logger = new Logger('Lists');

  constructor(private readonly parts: RefreshListsTaskParts) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const { refresher, urls, onOutcome } = this.parts;
    for (const list of urls) {
      if (signal.aborted) return;
      const outcome = await refresher.lists.refresh(list, signal);
      // It broke off because we stop: no fault of the source.
      if (signal.aborted) return;
      onOutcome(outcome);
      this.say(outcome);
    }
  }

  onApplicationShutdown(): void {
    this.parts.refresher.close();
  }

  private say(outcome: RefreshOutcome): void {
    const { name: list } = outcome;
    if (outcome.outcome === 'refused') {
      this.logger.warn({ list, why: outcome.why }, `a list was not taken, the one before stays: ${outcome.said}`);
    } else if (outcome.outcome === 'changed') {
      const { entries, passedOver } = outcome;
      this.logger.log({ list, entries, passedOver }, 'a new list is in force');
    }
  }
}
