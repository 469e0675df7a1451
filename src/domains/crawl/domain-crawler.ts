import type { Deadline } from '../../engine/deadline.js';
import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { Resolver } from '../../engine/dns/resolver.js';
import type { MailProvider } from '../../engine/smtp/provider.js';
import type { HttpsClient } from '../../platform/https/https-client.js';
import { Semaphore } from '../../platform/scheduling/semaphore.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import type { DomainFacts } from '../domain-facts.js';
import { CRAWL_PARTS, FACTS_OF, type Crawl, type CrawlPart, type PartOutcome } from './crawl-parts.js';
import type { DnsBlacklists } from './dns-blacklists.js';
import { viewMail, type MailView } from './mail-view.js';
import { blacklists } from './parts/blacklists.js';
import { dkim } from './parts/dkim.js';
import { caa, dane, dnssec } from './parts/dns-security.js';
import { mailHosts, addresses, nameServers } from './parts/surroundings.js';
import { mtaSts } from './parts/mta-sts.js';
import { bimi, dmarc, spf, tlsRpt } from './parts/texts.js';
import { PartQueries } from './part-queries.js';
import type { ResolverValidation } from './resolver-validation.js';
import type { PartCrawler, PartInput } from './part-crawler.js';

export interface DomainCrawlerParts {
  readonly resolver: Resolver;
  readonly https: Pick<HttpsClient, 'ask'>;
  readonly finder: Pick<MailHostFinder, 'findMailHosts'>;
  readonly validation: Pick<ResolverValidation, 'validates'>;
  readonly lists: Pick<DnsBlacklists, 'none' | 'query'>;
  readonly findProvider: (mailHost: string) => Pick<MailProvider, 'id'> | null;
  /** A part has ended. */
  readonly onPart?: (part: CrawlPart, outcome: PartOutcome) => void;
  /** A part threw an error, which is a bug. */
  readonly onFault?: (part: CrawlPart, error: unknown) => void;
  readonly limits?: CrawlLimits;
}

/** Milliseconds. */
export interface CrawlLimits {
  /** Limit of a whole crawl. */
  readonly crawlMs: number;
  /** Limit of each part. Look-ups shared by several parts take at most half of it. */
  readonly partMs: number;
}

const LIMITS: CrawlLimits = { crawlMs: 30_000, partMs: 20_000 };
/** Concurrent queries of one crawl. */
const QUESTIONS_AT_ONCE = 20;

type PartCrawlers = { readonly [Part in CrawlPart]: PartCrawler<Part> };

/** Collects the facts about a domain from DNS and a policy file. It neither judges nor stores them. */
export class DomainCrawler {
  private readonly partCrawlers: PartCrawlers;
  private readonly limits: CrawlLimits;

  constructor(private readonly parts: DomainCrawlerParts) {
    this.limits = parts.limits ?? LIMITS;
    this.partCrawlers = {
      mail_hosts: mailHosts,
      name_servers: nameServers,
      addresses,
      spf,
      dmarc,
      dkim: dkim(parts.findProvider),
      mta_sts: mtaSts(parts.https),
      tls_rpt: tlsRpt,
      bimi,
      dane: dane(parts.validation),
      dnssec: dnssec(parts.validation),
      caa,
      blacklists: blacklists(parts.lists),
    };
  }

  /**
   * Crawls all or some parts of a domain concurrently. Never rejects, and ends within its limits.
   * @param domain lowercase A-labels
   * @param stop if aborted, the crawl ends at once and its result is meaningless
   * @param limits if not the crawler's own
   */
  crawl(
    domain: string,
    parts: readonly CrawlPart[] = CRAWL_PARTS,
    stop?: AbortSignal,
    limits: CrawlLimits = this.limits,
  ): Promise<Crawl> {
    return withDeadline(limits.crawlMs, stop, (deadline) =>
      new CrawlRun(this.parts, limits, domain, deadline).run(parts, this.partCrawlers),
    );
  }
}

/** A running crawl. */
class CrawlRun {
  private readonly permits = new Semaphore(QUESTIONS_AT_ONCE);
  private mailView: Promise<MailView> | null = null;

  constructor(
    private readonly parts: DomainCrawlerParts,
    private readonly limits: CrawlLimits,
    private readonly domain: string,
    private readonly whole: Deadline,
  ) {}

  async run(parts: readonly CrawlPart[], partCrawlers: PartCrawlers): Promise<Crawl> {
    const ended = await Promise.all(
      parts.map(async (part) => {
        const { facts, outcome } = await this.crawlOne(part, partCrawlers[part]);
        this.parts.onPart?.(part, outcome);
        return { part, facts, outcome };
      }),
    );
    const named = (wanted: PartOutcome): CrawlPart[] =>
      ended.flatMap(({ part, outcome }) => (outcome === wanted ? [part] : []));
    const told = ended.flatMap(({ facts, outcome }) => (outcome === 'unavailable' ? [] : [facts]));
    return { found: Object.assign({}, ...told), failed: named('failed'), unavailable: named('unavailable') };
  }

  private crawlOne(
    part: CrawlPart,
    crawlPart: (input: PartInput) => Promise<Partial<DomainFacts>>,
  ): Promise<{ facts: Partial<DomainFacts>; outcome: PartOutcome }> {
    return this.within(this.limits.partMs, async (deadline) => {
      const queries = this.queries(deadline);
      const mail = async (): Promise<MailView> => {
        const view = await this.mail();
        queries.note(view.trouble);
        return view;
      };
      try {
        const facts = await crawlPart({ domain: this.domain, queries, mail });
        return { facts, outcome: outcomeOf(part, facts, queries) };
      } catch (error) {
        this.parts.onFault?.(part, error);
        return { facts: Object.fromEntries(FACTS_OF[part].map((fact) => [fact, null])), outcome: 'failed' };
      }
    });
  }

  private mail(): Promise<MailView> {
    this.mailView ??= this.within(this.limits.partMs / 2, (deadline) =>
      viewMail(this.domain, this.queries(deadline), this.parts.finder),
    );
    return this.mailView;
  }

  private queries(deadline: Deadline): PartQueries {
    return new PartQueries(this.parts.resolver, this.permits, deadline);
  }

  /** Work with its own deadline, capped by the deadline of the whole crawl. */
  private within<T>(ms: number, work: (deadline: Deadline) => Promise<T>): Promise<T> {
    return withDeadline(this.whole.capMs(ms), this.whole.signal, work);
  }
}

function outcomeOf(part: CrawlPart, facts: Partial<DomainFacts>, { trouble }: PartQueries): PartOutcome {
  if (trouble === 'none' || FACTS_OF[part].every((fact) => facts[fact] !== null)) return 'known';
  return trouble === 'ours' ? 'unavailable' : 'failed';
}
