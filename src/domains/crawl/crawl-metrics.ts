import { Injectable } from '@nestjs/common';
import { Counter, Gauge, type Registry } from 'prom-client';
import { Metrics } from '../../platform/metrics/metrics.js';
import { BoundedReading } from '../../platform/metrics-endpoint/bounded-reading.js';
import { CrawlUpkeepRepository } from '../store/crawl-upkeep.repository.js';
import type { CrawlPart, PartOutcome } from './crawl-parts.js';
import type { DnsBlacklists } from './dns-blacklists.js';

/** Returns a function that counts a part of a crawl when it ends. */
export function countCrawlParts(registry: Registry): (part: CrawlPart, outcome: PartOutcome) => void {
  const parts = new Counter({
    name: 'mailvet_domain_crawl_parts_total',
    help: 'Parts of crawls by how they ended: known, failed (at the domain), unavailable (on our side)',
    labelNames: ['part', 'outcome'],
    registers: [registry],
  });
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
  const registers = [registry];
  const reading = new BoundedReading(() => upkeep.backlog());
  const due = new Gauge({
    name: 'mailvet_domains_due',
    help: 'Domains whose crawl is due',
    registers,
    async collect() {
      due.set((await reading.read())?.due ?? Number.NaN);
    },
  });
  const oldest = new Gauge({
    name: 'mailvet_domains_oldest_due_seconds',
    help: 'How long the domain has waited whose crawl should have come first',
    registers,
    async collect() {
      oldest.set((await reading.read())?.oldestDueSeconds ?? Number.NaN);
    },
  });
}

/** Only tested lists have a value. */
export function showBlacklists(registry: Registry, lists: Pick<DnsBlacklists, 'states'>): void {
  const usable = new Gauge({
    name: 'mailvet_dns_blacklist_usable',
    help: 'Whether a DNS blacklist passes its self-test: 1 yes, 0 no',
    labelNames: ['list'],
    registers: [registry],
    collect() {
      usable.reset();
      for (const { name, usable: passes } of lists.states)
        if (passes !== null) usable.set({ list: name }, Number(passes));
    },
  });
}
