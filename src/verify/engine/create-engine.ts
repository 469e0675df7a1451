import { suggestCorrection } from '../../engine/address/suggest-correction.js';
import type { Knowledge } from '../../engine/assess.js';
import { DnsResolver, type DnsResolverOptions } from '../../engine/dns/dns-resolver.js';
import { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import { RememberedMailHosts } from '../../engine/dns/remembered-mail-hosts.js';
import { VerificationEngine } from '../../engine/engine.js';
import type { CuratedLists, SignalLists } from '../../engine/signals/lists.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { NO_CURATED_LISTS } from '../../engine/signals/static-curated-lists.js';
import { NO_ACCEPTED_RECIPIENTS, type AcceptedRecipients } from '../../engine/smtp/accepted-recipients.js';
import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import { SmtpBulkProber } from '../../engine/smtp/bulk/smtp-bulk-prober.js';
import { classifyReply } from '../../engine/smtp/classify/classify-reply.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { UNLIMITED, type Politeness } from '../../engine/smtp/politeness.js';
import { SmtpProber } from '../../engine/smtp/smtp-prober.js';
import type { EngineSettings } from '../../platform/config/load-config.js';
import { configuredServers } from '../../platform/dns/configured-servers.js';
import { EgressMonitor } from '../../platform/egress/egress-monitor.js';
import { createEgressPool } from '../../platform/egress/egress-pool.js';
import { PortAwareBulkProber, PortAwareProber } from '../../platform/egress/port-aware-prober.js';
import { tracing } from '../../platform/tracing/tracing.js';
import type { EngineCounters } from './engine-metrics.js';

/** Answers that the resolver of a service caches, about 1 kB each. */
const DNS_CACHE_ENTRIES = 50_000;
/** Domains whose mail hosts are cached in addition, well below 1 kB each. */
const MAIL_HOSTS_ENTRIES = 20_000;

/** An engine with its knowledge, and the resolver that must be closed at the end. */
export interface RunningEngine {
  readonly engine: Pick<VerificationEngine, 'check'>;
  /** The finder that `engine` uses, for callers with many addresses. */
  readonly mailHosts: Pick<MailHostFinder, 'findMailHosts'>;
  readonly bulk: BulkProber;
  readonly knowledge: Knowledge;
  /** The ways out. Their self-checks begin when it is started. */
  readonly egress: EgressMonitor;
  /** Reports troubles of the DNS servers. */
  readonly dns: Pick<DnsResolver, 'troubles'>;
  close(): void;
}

/** Parts of an engine that a process shares with others. */
export interface EngineSurroundings {
  /** Limits towards mail hosts; none for a process that checks one address and exits. */
  readonly politeness?: Politeness;
  /** The operator's lists; empty without a database. */
  readonly curated?: CuratedLists;
  /** Recently accepted recipients; none without a database. */
  readonly acceptedRecipients?: AcceptedRecipients;
  /** The shipped lists, unless fetched ones are passed. */
  readonly lists?: SignalLists;
  /** Counts requests; left out for a single check of the command line. */
  readonly counters?: EngineCounters;
  /** Answers that the resolver caches. */
  readonly dnsCacheEntries?: number;
  /** Called once for each trouble of a DNS server. */
  readonly onDnsTrouble?: DnsResolverOptions['onTrouble'];
}

/** Builds the engine from a process's settings, for the API, the worker and the command line. */
export function createEngine(
  { config: { dns, smtp }, secrets }: EngineSettings,
  {
    politeness = UNLIMITED,
    curated = NO_CURATED_LISTS,
    acceptedRecipients = NO_ACCEPTED_RECIPIENTS,
    lists = loadSignalLists(),
    counters,
    dnsCacheEntries = DNS_CACHE_ENTRIES,
    onDnsTrouble,
  }: EngineSurroundings = {},
): RunningEngine {
  const traced = tracing();
  const dnsResolver = new DnsResolver({
    servers: configuredServers(dns),
    timeoutMs: dns.timeoutMs,
    cacheEntries: dnsCacheEntries,
    ...(counters && { onAnswer: counters.onDnsAnswer }),
    ...(onDnsTrouble && { onTrouble: onDnsTrouble }),
  });
  const resolver = traced?.resolver(dnsResolver) ?? dnsResolver;
  const pool = createEgressPool({ ...smtp, entries: secrets.smtpEgress });
  const finder = new MailHostFinder(resolver, {
    allowPrivateNetworks: smtp.allowPrivateNetworks,
    preferIpv6: pool.egresses.some(({ ipv6 }) => ipv6),
  });
  const mailHostFinder = new RememberedMailHosts(finder, { maxEntries: MAIL_HOSTS_ENTRIES });
  const egress = new EgressMonitor({
    egresses: pool.egresses,
    resolver,
    references: { ...smtp, finder: mailHostFinder, domains: smtp.checkDomains, doNotProbe: curated },
  });
  const known = { findProvider, politeness, acceptedRecipients, doNotProbe: curated };
  const probing = { ...smtp, egress: pool, classify: classifyReply, ...known };
  const portAware = new PortAwareProber(new SmtpProber(probing), egress);
  const counted = counters?.prober(portAware) ?? portAware;
  const prober = traced?.prober(counted) ?? counted;
  const bulkPortAware = new PortAwareBulkProber(new SmtpBulkProber(probing), egress);
  const bulkCounted = counters?.bulkProber(bulkPortAware) ?? bulkPortAware;
  const bulk = traced?.bulkProber(bulkCounted) ?? bulkCounted;
  const knowledge: Knowledge = { lists, curated, findProvider, suggestCorrection };
  const verification = new VerificationEngine({ mailHostFinder, prober, knowledge });
  const engine = traced?.engine(verification) ?? verification;
  const close = (): void => {
    egress.stop();
    dnsResolver.close();
  };
  return { engine, mailHosts: mailHostFinder, bulk, knowledge, egress, dns: dnsResolver, close };
}
