import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { countCrawlParts, showBlacklists } from './crawl-metrics.js';
import { createDomainCrawler, type CrawlSettings, type RunningCrawler } from './create-domain-crawler.js';
import type { DomainCrawler } from './domain-crawler.js';

/** The one crawler of a worker process, counted and watched. */
export class CrawlerHost implements OnApplicationShutdown {
  private readonly running: RunningCrawler;

  constructor(settings: CrawlSettings, registry: Registry) {
    const logger = new Logger('Crawl');
    this.running = createDomainCrawler(settings, {
      onPart: countCrawlParts(registry),
      onFault: (part, error) => logger.error({ err: error, part }, 'a part of a crawl broke; its facts stay null'),
      onListTrouble: (list, why) => logger.warn({ list, why }, 'a DNS blacklist counts for nothing'),
    });
    showBlacklists(registry, this.running.lists);
  }

  get crawler(): DomainCrawler {
    return this.running.crawler;
  }

  /** What an operator should mend. */
  get warnings(): readonly string[] {
    const { validation, lists } = this.running;
    const failing = lists.states.flatMap(({ name, usable }) => (usable === false ? [name] : []));
    return [
      ...(validation.last === false ? ['the resolver does not validate DNSSEC: dnssec and dane stay null'] : []),
      ...failing.map((name) => `the DNS blacklist ${name} fails its self-test and counts for nothing`),
    ];
  }

  /** Crawls have ended by then. */
  onApplicationShutdown(): void {
    this.running.close();
  }
}
