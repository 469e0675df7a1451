import { orderExchanges } from '../../engine/dns/mail-exchanges.js';
import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { MailHost, MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import type { DnsAnswer } from '../../engine/dns/resolver.js';
import type { Questions, Trouble } from './questions.js';

/** Where mail for the domain goes: several parts of a crawl need to know. */
export interface MailView {
  /** The answer to the MX question. */
  readonly mx: DnsAnswer;
  /** A mail host with a public address exists; null: not known. */
  readonly hasHost: boolean | null;
  /** By name, best first; the domain itself where it has no MX records but addresses. null: not known. */
  readonly names: readonly string[] | null;
  /** Those that can be connected to. */
  readonly hosts: readonly MailHost[];
  readonly trouble: Trouble;
}

/** No sender would come to more of them. */
const MAX_NAMES = 30;

export async function viewMail(
  domain: string,
  questions: Questions,
  finder: Pick<MailHostFinder, 'find'>,
): Promise<MailView> {
  const mx = await questions.ask(domain, 'MX');
  // It asks the same once more: that comes from the resolver's memory.
  const find = (): Promise<MailHostsFinding> => finder.find(domain, { deadline: questions.deadline });
  const finding = mx.kind === 'failure' ? null : await questions.inTurn(find);
  if (finding?.kind === 'unavailable') questions.note('ours');
  if (finding?.kind === 'broken') questions.note('theirs');
  return {
    mx,
    hasHost: finding?.kind === 'found' ? true : finding?.kind === 'none' ? false : null,
    names: namesOf(domain, mx, finding),
    hosts: finding?.kind === 'found' ? finding.hosts : [],
    trouble: questions.trouble,
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
