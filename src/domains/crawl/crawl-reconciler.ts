import { Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import type { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import type { DomainCrawlProducer } from './domain-crawl.queue.js';

export interface CrawlReconcilerParts {
  readonly upkeep: Pick<CrawlUpkeepRepository, 'takeDue'>;
  readonly queue: Pick<DomainCrawlProducer, 'add'>;
}

/** In one round; there is a next one. */
const MAX_DUE = 500;

/**
 * Puts domains on the queue whose time has come, by MySQL alone, whatever Redis has lost. It runs in every worker that serves
 * the queue; several of them do no harm.
 */
export class CrawlReconciler extends PeriodicTask {
  protected readonly logger = new Logger('CrawlReconciler');
  protected readonly failureMessage = 'due crawls could not be looked after; trying again';

  constructor(private readonly parts: CrawlReconcilerParts) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    this.parts.queue.add(await this.parts.upkeep.takeDue(MAX_DUE), true);
  }
}
