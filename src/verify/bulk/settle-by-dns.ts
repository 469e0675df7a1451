import type { Address } from '../../engine/address/address.js';
import type { Knowledge } from '../../engine/assess.js';
import type { MailHostFacts } from '../../engine/check.js';
import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { MailHost } from '../../engine/dns/mail-hosts.js';
import { mailHostFacts } from '../../engine/engine.js';
import { mailHostGroup } from '../../engine/smtp/mail-host-group.js';
import { groupBy } from '../../platform/collections/group-by.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import type { DomainWork } from './plan-chunks.js';

export interface DnsOptions<Target> {
  readonly finder: Pick<MailHostFinder, 'findMailHosts'>;
  /** Whose turn it is to ask, where others wait. */
  readonly requester?: string;
  /** Number of lookups at once. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
  readonly addressOf: (target: Target) => Address;
  /** Settles an address by what the DNS tells. @returns false: its mail hosts must be asked */
  readonly settle: (target: Target, mailHosts: MailHostFacts) => boolean;
}

/** Addresses of one domain whose mail hosts must be asked. */
export interface DomainToAsk<Target> {
  readonly domain: string;
  readonly hosts: readonly MailHost[];
  readonly mailHosts: MailHostFacts;
  readonly targets: readonly Target[];
}

/** What the DNS left open. */
export interface AfterDns<Target> {
  readonly toAsk: readonly DomainToAsk<Target>[];
  /** By domain. Our resolver failed, or the process stops. */
  readonly unresolved: ReadonlyMap<string, readonly Target[]>;
  /** The last failure of our resolver; null: there was none. */
  readonly why: string | null;
}

/** Maximum wait for name servers, per domain. */
const DOMAIN_MS = 20_000;
/** Group of domains that our resolver could not look up; their chunk looks them up again. */
const UNRESOLVED = 'unresolved';

/** Looks up the domains of addresses, each once, and settles those that need no mail host. */
export async function settleByDns<Target>(
  targets: readonly Target[],
  { finder, requester, concurrency, stop, addressOf, settle }: DnsOptions<Target>,
): Promise<AfterDns<Target>> {
  const unresolved = groupBy(targets, (target) => addressOf(target).domain);
  const toAsk: DomainToAsk<Target>[] = [];
  let why: string | null = null;
  const left = [...unresolved].values();
  const work = async (): Promise<void> => {
    for (const [domain, own] of left) {
      if (stop.aborted) return;
      const finding = await withDeadline(DOMAIN_MS, stop, (deadline) =>
        finder.findMailHosts(domain, { deadline, requester }),
      );
      if (finding.kind === 'unavailable') why = finding.why;
      // What a stop cut short is no answer.
      if (finding.kind === 'unavailable' || stop.aborted) continue;
      unresolved.delete(domain);
      const mailHosts = mailHostFacts(finding);
      const open = own.filter((target) => !settle(target, mailHosts));
      if (finding.kind === 'found' && open.length > 0)
        toAsk.push({ domain, hosts: finding.hosts, mailHosts, targets: open });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { toAsk, unresolved, why };
}

/** What is left to ask, by domain and the group of its mail hosts. */
export function workAfterDns<Target>(
  { toAsk, unresolved }: AfterDns<Target>,
  findProvider: Knowledge['findProvider'],
): DomainWork<Target>[] {
  const work = toAsk.map(({ domain, hosts, targets }) => {
    const { name } = hosts[0]!;
    return { domain, group: mailHostGroup(name, findProvider(name)), targets };
  });
  return [...work, ...[...unresolved].map(([domain, targets]) => ({ domain, group: UNRESOLVED, targets }))];
}
