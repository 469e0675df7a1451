import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { countCrawlParts, showBlacklists } from './crawl-metrics.js';
import { createDomainCrawler, type RunningCrawler } from './create-domain-crawler.js';
import type { DomainCrawler } from './domain-crawler.js';

/** The crawler of a worker process, with its metrics and log. */
@Injectable()
export class CrawlerProvider implements OnApplicationShutdown {
  private readonly running: RunningCrawler;

  constructor(config: AppConfig, secrets: AppSecrets, { registry }: Metrics) {
    const logger = new Logger('Crawl');
    const settings = { config, secrets };
    this.running = createDomainCrawler(settings, {
      onPart: countCrawlParts(registry),
      onFault: (part, error) => logger.error({ err: error, part }, 'a part of a crawl failed; its facts are null'),
      onListTrouble: (list, why) => logger.warn({ list, why }, 'a DNS blacklist failed its test and is ignored'),
    });
    showBlacklists(registry, this.running.lists);
  }

  crawl(...given: Parameters<DomainCrawler['crawl']>): ReturnType<DomainCrawler['crawl']> {
    return this.running.crawler.crawl(...given);
  }

  /** Logs faults that an operator must fix. */
  get warnings(): readonly string[] {
    const { validation, lists } = this.running;
    const failing = lists.states.flatMap(({ name, usable }) => (usable === false ? [name] : []));
    return [
      ...(validation.last === false ? ['the resolver does not validate DNSSEC: dnssec and dane stay null'] : []),
      ...failing.map((name) => `the DNS blacklist ${name} fails its self-test and counts for nothing`),
    ];
  }

  /** Runs after all crawls have ended. */
  onApplicationShutdown(): void {
    this.running.close();
  }
}
