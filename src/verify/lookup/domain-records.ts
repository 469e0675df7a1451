import { Injectable, Optional } from '@nestjs/common';
import { DomainInterest } from '../../domains/store/domain-interest.js';
import { toDomainRecord, type DomainRecord } from '../../domains/store/domain-record.js';
import { DomainsRepository } from '../../domains/store/domains.repository.js';
import { AnswerCache } from '../../engine/dns/answer-cache.js';
import { EngineProvider } from '../engine/engine-provider.js';

type FoundRecords = ReadonlyMap<string, DomainRecord>;

/** Facts change once a week, lists rarely. */
const CRAWLED_SECONDS = 30;
/** A first crawl takes a few seconds, and its caller polls for the result. */
const WAITING_SECONDS = 1;
const MAX_KEPT = 10_000;
/** Weight of a record in the cache; they are all about the same size. */
const WEIGHT = 512;

/**
 * Reads crawled domains for results: many calls per query, judged by today's lists, cached for half a minute so that
 * popular domains cost next to nothing.
 */
@Injectable()
export class DomainRecords {
  private readonly kept: AnswerCache<{ readonly ttlSeconds: number; readonly record: DomainRecord | null }>;

  /**
   * @param engine knows today's lists
   * @param now monotonic clock, milliseconds
   */
  constructor(
    private readonly rows: DomainsRepository,
    private readonly interest: DomainInterest,
    private readonly engine: EngineProvider,
    @Optional() now: () => number = () => performance.now(),
  ) {
    this.kept = new AnswerCache(MAX_KEPT, now);
  }

  /**
   * The records of these domains; those not crawled yet are left out. Reading a domain requests it, so it will be
   * crawled, now and again later. Synchronous if all are cached, to save popular domains a promise.
   * @param domains A-labels, lowercase
   * @param account the caller's; null: the domains were requested before, and this read does not request them
   * @throws AppError `service_unavailable`
   */
  lookUp(domains: readonly string[], account: string | null): FoundRecords | Promise<FoundRecords> {
    const found = new Map<string, DomainRecord>();
    const missing = new Set<string>();
    for (const domain of domains) {
      const kept = this.kept.get(domain);
      if (kept === undefined) {
        missing.add(domain);
        continue;
      }
      if (kept.record === null) continue;
      found.set(domain, kept.record);
      if (account !== null) this.interest.note(domain, true, account);
    }
    return missing.size === 0 ? found : this.read([...missing], found, account);
  }

  private async read(
    domains: readonly string[],
    found: Map<string, DomainRecord>,
    account: string | null,
  ): Promise<FoundRecords> {
    const { rows, interest, engine } = this;
    const stored = await rows.find(domains);
    for (const domain of domains) {
      const row = stored.get(domain);
      const record = row === undefined || row.facts === null ? null : toDomainRecord(row.facts, engine.knowledge);
      this.kept.set(domain, { ttlSeconds: record === null ? WAITING_SECONDS : CRAWLED_SECONDS, record }, WEIGHT);
      if (record !== null) found.set(domain, record);
      if (account !== null) interest.note(domain, row !== undefined, account);
    }
    return found;
  }
}
