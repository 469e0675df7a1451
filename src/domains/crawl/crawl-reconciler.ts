import { Injectable, Logger } from '@nestjs/common';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import { DomainCrawlProducer } from './domain-crawl.queue.js';

/** Limit per run. */
const MAX_DUE = 500;

/** Queues the domains that are due according to MySQL, even if Redis has lost them. Every worker of the queue runs it. */
@Injectable()
export class CrawlReconciler extends PeriodicTask {
  protected readonly logger = new Logger('CrawlReconciler');
  protected readonly failureMessage = 'due crawls could not be looked after; trying again';

  constructor(
    private readonly upkeep: CrawlUpkeepRepository,
    private readonly queue: DomainCrawlProducer,
  ) {
    super();
  }

  protected override async runOnce(): Promise<void> {
    this.queue.queueCrawls(await this.upkeep.takeDue(MAX_DUE), true);
  }
}
