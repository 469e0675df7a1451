import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DomainCrawlProducer } from '../../domains/crawl/domain-crawl.queue.js';
import type { DomainObject } from '../../domains/domain.response.js';
import { toDomainObject } from '../../domains/domain-object.js';
import { CrawlRequestsRepository } from '../../domains/store/crawl-requests.repository.js';
import { DomainInterest } from '../../domains/store/domain-interest.js';
import { toDomainRecord, type DomainRecord } from '../../domains/store/domain-record.js';
import { DomainsRepository } from '../../domains/store/domains.repository.js';
import { EngineProvider } from '../engine/engine-provider.js';
import { DomainRecords } from '../lookup/domain-records.js';
import { verifyUnavailable } from '../verify-unavailable.js';

/** How long a call waits for the crawl of a domain. */
const DEADLINE_MS = 8000;
/** Calls that wait at the same moment share a query. */
const LOOK_EVERY_MS = 100;

/** Looks up what is known of a domain; has a worker crawl one that is not known, and waits for it. */
@Injectable()
export class DomainLookupService {
  constructor(
    private readonly records: DomainRecords,
    private readonly domains: DomainsRepository,
    private readonly requests: CrawlRequestsRepository,
    private readonly interest: DomainInterest,
    private readonly queue: DomainCrawlProducer,
    private readonly engine: EngineProvider,
  ) {}

  /**
   * @param domain A-labels, lowercase
   * @throws AppError `quota_exceeded` if the plan's crawls of the day are used up, `verify_unavailable` if no worker
   *   crawled it in time
   */
  async lookUp(domain: string, account: string): Promise<DomainObject> {
    const known = (await this.records.lookUp([domain], null)).get(domain);
    if (known !== undefined) {
      this.interest.note(domain, true, account);
      return this.toObject(known);
    }
    await this.requests.request(domain, account);
    this.queue.queueAwaitedCrawl(domain, account);
    return this.toObject(await this.crawled(domain));
  }

  private async crawled(domain: string): Promise<DomainRecord> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const facts = (await this.domains.find([domain])).get(domain)?.facts ?? null;
      if (facts !== null) return toDomainRecord(facts, this.engine.knowledge);
      if (performance.now() + LOOK_EVERY_MS >= deadline) throw verifyUnavailable('a domain was not crawled in time');
      await delay(LOOK_EVERY_MS);
    }
  }

  private toObject(record: DomainRecord): DomainObject {
    const { curated } = this.engine.knowledge;
    return toDomainObject(record.facts, record, curated.blocked(record.facts.domain));
  }
}
