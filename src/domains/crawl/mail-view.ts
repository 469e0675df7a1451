import { orderExchanges } from '../../engine/dns/mail-exchanges.js';
import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { MailHost, MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import type { DnsAnswer } from '../../engine/dns/resolver.js';
import type { PartQueries, Trouble } from './part-queries.js';

/** Where the domain's mail goes; several parts of a crawl need it. */
export interface MailView {
  /** The answer to the MX query. */
  readonly mx: DnsAnswer;
  /** A mail host with a public address exists; null: unknown. */
  readonly hasHost: boolean | null;
  /** By name, best first; the domain itself if it has addresses but no MX records. null: unknown. */
  readonly names: readonly string[] | null;
  /** Addresses that may be connected to. */
  readonly hosts: readonly MailHost[];
  readonly trouble: Trouble;
}

/** Maximum mail hosts; no sender tries more. */
const MAX_NAMES = 30;

export async function viewMail(
  domain: string,
  queries: PartQueries,
  finder: Pick<MailHostFinder, 'findMailHosts'>,
): Promise<MailView> {
  const mx = await queries.query(domain, 'MX');
  // It repeats the MX query: the resolver's cache answers it.
  const find = (): Promise<MailHostsFinding> => finder.findMailHosts(domain, { deadline: queries.deadline });
  const finding = mx.kind === 'failure' ? null : await queries.withPermit(find);
  if (finding?.kind === 'unavailable') queries.note('ours');
  if (finding?.kind === 'broken') queries.note('theirs');
  return {
    mx,
    hasHost: finding?.kind === 'found' ? true : finding?.kind === 'none' ? false : null,
    names: namesOf(domain, mx, finding),
    hosts: finding?.kind === 'found' ? finding.hosts : [],
    trouble: queries.trouble,
  };
}

function namesOf(domain: string, mx: DnsAnswer, finding: MailHostsFinding | null): readonly string[] | null {
  if (mx.kind === 'failure') return null;
  if (mx.kind === 'records') {
    const exchanges = orderExchanges(mx.records, () => 0);
    return exchanges.slice(0, MAX_NAMES).map(({ name }) => name);
  }
  if (finding?.kind === 'found') return [domain];
  if (finding?.kind !== 'none') return null;
  return finding.why === 'no_public_address' ? [domain] : [];
}
