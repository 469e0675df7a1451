import { Injectable } from '@nestjs/common';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { DomainCrawlProducer } from '../../domains/crawl/domain-crawl.queue.js';
import { toDomainObject } from '../../domains/domain-object.js';
import { scoreParts, type ScorePart } from '../../domains/domain-score.js';
import { CrawlRequestsRepository } from '../../domains/store/crawl-requests.repository.js';
import { toDomainRecord } from '../../domains/store/domain-record.js';
import { DomainViewRepository } from '../../domains/store/domain-view.repository.js';
import { DomainsRepository } from '../../domains/store/domains.repository.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { domainIn } from '../../verify/domains/domain-in.js';
import { EngineProvider } from '../../verify/engine/engine-provider.js';
import type { DomainPage, ScorePartResponse } from './domains.response.js';
import { SCORE_ADVICE } from './score-advice.js';

/** Any domain, as a person looks at it. */
@Injectable()
export class DomainsService {
  constructor(
    private readonly views: DomainViewRepository,
    private readonly domains: DomainsRepository,
    private readonly catchAlls: CatchAllRepository,
    private readonly requests: CrawlRequestsRepository,
    private readonly queue: DomainCrawlProducer,
    private readonly engine: EngineProvider,
  ) {}

  /** @throws AppError `validation_failed` for what is no domain */
  async read(given: string): Promise<DomainPage> {
    const domain = domainIn(given);
    const [view, catchAlls] = await Promise.all([this.views.find(domain), this.catchAlls.findCatchAlls([domain])]);
    const { knowledge } = this.engine;
    const facts = view?.facts ?? null;
    const record = facts && toDomainRecord(facts, knowledge);
    return {
      domain: record && toDomainObject(record.facts, record, knowledge.curated.blocked(domain)),
      score_parts: facts === null ? [] : scoreParts(facts).map(toScorePart),
      crawled_at: view?.crawledAt?.toISOString() ?? null,
      crawling: view?.isDue ?? false,
      accept_all: catchAlls.has(domain) ? true : null,
    };
  }

  /** Crawls a domain now, as one of the account's crawls of the day. @throws AppError `quota_exceeded` */
  async crawl(given: string, accountId: string, actor: Actor): Promise<DomainPage> {
    const domain = domainIn(given);
    await this.requests.requestAgain(domain, accountId, actor);
    const due = await this.domains.ask([domain]);
    this.queue.queueCrawls(due.map((each) => ({ ...each, account: accountId })));
    return this.read(domain);
  }
}

function toScorePart({ fact, max, share }: ScorePart): ScorePartResponse {
  const isFull = share === 1;
  return {
    part: fact.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    points: Math.round(max * (share ?? 0) * 10) / 10,
    max,
    fulfilled: share === null ? null : isFull,
    advice: share === null || isFull ? null : SCORE_ADVICE[fact],
  };
}
