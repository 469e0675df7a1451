import { Processor } from '@nestjs/bullmq';
import { QueueWorkerHost } from '../../platform/queues/queue-worker-host.js';
import { WorkerHostServices } from '../../platform/queues/worker-host-services.js';
import type { JobEnding } from '../../platform/queues/work-queue.js';
import { DOMAIN_CRAWL_QUEUE, type DomainCrawlPayload } from './domain-crawl.queue.js';
import { DomainCrawlService } from './domain-crawl.service.js';

/** Each crawl runs twenty queries at once: more crawls would only wait for one another. */
const CRAWLS_AT_ONCE = 10;

/** Processes the queue of crawls. */
@Processor(DOMAIN_CRAWL_QUEUE.name, { autorun: false })
export class DomainCrawlProcessor extends QueueWorkerHost<DomainCrawlPayload> {
  constructor(
    private readonly crawls: DomainCrawlService,
    services: WorkerHostServices,
  ) {
    super(DOMAIN_CRAWL_QUEUE, services, { concurrency: CRAWLS_AT_ONCE });
  }

  protected override handle({ domain, awaited }: DomainCrawlPayload, stop: AbortSignal): Promise<JobEnding> {
    return this.crawls.crawl(domain, stop, awaited);
  }
}
