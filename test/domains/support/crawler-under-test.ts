import type { CrawlPart, PartOutcome } from '../../../src/domains/crawl/crawl-parts.js';
import { createDomainCrawler, type RunningCrawler } from '../../../src/domains/crawl/create-domain-crawler.js';
import type { CrawlLimits } from '../../../src/domains/crawl/domain-crawler.js';
import { parseDnsServers } from '../../../src/engine/dns/dns-servers.js';
import { parseDnsblZones } from '../../../src/platform/config/dnsbl-zones.js';

export interface CrawlerOptions {
  /** As `DNS_SERVERS` takes it. */
  readonly dnsServer: string;
  readonly httpsPort?: number;
  readonly timeoutMs?: number;
  readonly allowPrivateNetworks?: boolean;
  /** As `DNSBL_ZONES` takes it. */
  readonly zones?: string;
  readonly limits?: CrawlLimits;
}

/** The crawler as a worker has it, with what it told of. */
export interface CrawlerUnderTest extends RunningCrawler {
  readonly listTroubles: string[];
  readonly faults: string[];
  /** How often a part ended so. */
  readonly outcomes: Map<`${CrawlPart} ${PartOutcome}`, number>;
}

export function crawlerUnderTest(options: CrawlerOptions): CrawlerUnderTest {
  const { dnsServer, httpsPort = 443, timeoutMs = 2000, allowPrivateNetworks = true, zones = 'none', limits } = options;
  const listTroubles: string[] = [];
  const faults: string[] = [];
  const outcomes: CrawlerUnderTest['outcomes'] = new Map();
  const running = createDomainCrawler(
    {
      config: {
        dns: { servers: parseDnsServers(dnsServer), timeoutMs },
        smtp: { allowPrivateNetworks },
        crawl: { httpsPort },
      },
      secrets: { dnsblZones: parseDnsblZones(zones) },
    },
    {
      onPart: (part, outcome) => outcomes.set(`${part} ${outcome}`, (outcomes.get(`${part} ${outcome}`) ?? 0) + 1),
      onFault: (part, error) => faults.push(`${part}: ${String(error)}`),
      onListTrouble: (name, why) => listTroubles.push(`${name}: ${why}`),
      ...(limits && { limits }),
    },
  );
  return { ...running, listTroubles, faults, outcomes };
}
