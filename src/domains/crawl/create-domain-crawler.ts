import { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import type { AppSecrets } from '../../platform/config/app-secrets.js';
import { ownResolver } from '../../platform/dns/configured-servers.js';
import { clearance } from '../../platform/egress/clearance.js';
import { HttpsClient } from '../../platform/https/https-client.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { blacklistOf } from '../records/blacklist.js';
import { DnsBlacklists } from './dns-blacklists.js';
import { DomainCrawler, type DomainCrawlerParts } from './domain-crawler.js';
import { ResolverValidation } from './resolver-validation.js';

/** Cached answers, about 1 kB each: few domains are crawled twice, but many share mail hosts. */
const CACHE_ENTRIES = 10_000;

export interface CrawlSettings {
  readonly config: Pick<AppConfig, 'dns' | 'crawl'> & {
    readonly smtp: Pick<AppConfig['smtp'], 'allowPrivateNetworks'>;
  };
  readonly secrets: Pick<AppSecrets, 'dnsblZones'>;
}

/** Callbacks for crawl events. */
export interface CrawlWatchers extends Pick<DomainCrawlerParts, 'onPart' | 'onFault' | 'limits'> {
  /** A blacklist failed its test. @param name without a customer's key */
  readonly onListTrouble?: (name: string, why: string) => void;
}

/** A crawler and its resolver, which must be closed at the end. */
export interface RunningCrawler {
  readonly crawler: DomainCrawler;
  readonly validation: ResolverValidation;
  readonly lists: DnsBlacklists;
  close(): void;
}

/**
 * Builds the crawler from the process's settings. It has its own resolver: a crawl makes a hundred queries and must not
 * evict the cache that address checks need.
 */
export function createDomainCrawler(
  { config: { dns, smtp, crawl }, secrets: { dnsblZones } }: CrawlSettings,
  { onListTrouble, ...watchers }: CrawlWatchers = {},
): RunningCrawler {
  const dnsResolver = ownResolver(dns, CACHE_ENTRIES);
  const resolver = tracing()?.resolver(dnsResolver) ?? dnsResolver;
  const { allowPrivateNetworks } = smtp;
  const validation = new ResolverValidation(resolver);
  const lists = new DnsBlacklists(
    dnsblZones.map(({ zone, lists: kind }) => blacklistOf(zone, kind ?? undefined)),
    resolver,
    { ...(onListTrouble && { onTrouble: onListTrouble }) },
  );
  const crawler = new DomainCrawler({
    ...watchers,
    resolver,
    finder: new MailHostFinder(resolver, { allowPrivateNetworks }),
    https: new HttpsClient({ resolver, clearance: clearance(allowPrivateNetworks), port: crawl.httpsPort }),
    validation,
    lists,
    findProvider,
  });
  return { crawler, validation, lists, close: () => dnsResolver.close() };
}
