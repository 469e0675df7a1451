import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { showFigure, showFigures } from '../../platform/metrics/show-gauge.js';
import { BoundedReading } from '../../platform/metrics-endpoint/bounded-reading.js';
import { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import type { CrawlPart, PartOutcome } from './crawl-parts.js';
import type { DnsBlacklists } from './dns-blacklists.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

/** Returns a function that counts a part of a crawl when it ends. */
export function countCrawlParts(registry: Registry): (part: CrawlPart, outcome: PartOutcome) => void {
  const ofParts = 'Parts of crawls by how they ended: known, failed (at the domain), unavailable (on our side)';
  const parts = newCounter(registry, 'mailvet_domain_crawl_parts_total', ofParts, { part: [], outcome: [] });
  return (part, outcome) => parts.inc({ part, outcome });
}

/** The backlog of crawls, for metrics. NaN while the database does not reply. */
@Injectable()
export class CrawlBacklogMetrics {
  constructor({ registry }: Metrics, upkeep: CrawlUpkeepRepository) {
    showBacklog(registry, upkeep);
  }
}

function showBacklog(registry: Registry, upkeep: CrawlUpkeepRepository): void {
  const reading = new BoundedReading(() => upkeep.backlog());
  showFigure(
    registry,
    'mailvet_domains_due',
    'Domains whose crawl is due',
    async () => (await reading.read())?.due ?? Number.NaN,
  );
  showFigure(
    registry,
    'mailvet_domains_oldest_due_seconds',
    'How long the domain has waited whose crawl should have come first',
    async () => (await reading.read())?.oldestDueSeconds ?? Number.NaN,
  );
}

/** Only tested lists have a value. */
export function showBlacklists(registry: Registry, lists: Pick<DnsBlacklists, 'states'>): void {
  const help = 'Whether a DNS blacklist passes its self-test: 1 yes, 0 no';
  showFigures(registry, 'mailvet_dns_blacklist_usable', help, ['list'], () =>
    lists.states.flatMap(({ name, usable }) => (usable === null ? [] : [[{ list: name }, Number(usable)]])),
  );
}
