import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { MailHostsFinding } from '../../engine/dns/mail-hosts.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';

export interface DomainLookUpOptions {
  readonly finder: Pick<MailHostFinder, 'findMailHosts'>;
  /** Number of lookups at once. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
  /** Called once per domain, in the order of the answers; not called for domains that are open at shutdown. */
  readonly onFound: (domain: string, finding: MailHostsFinding) => void;
}

/** Maximum wait for name servers, per domain. */
const DOMAIN_MS = 20_000;

/** Finds the mail hosts of many domains. */
export async function lookUpDomains(domains: readonly string[], options: DomainLookUpOptions): Promise<void> {
  const { finder, concurrency, stop, onFound } = options;
  const left = domains.values();
  const work = async (): Promise<void> => {
    for (const domain of left) {
      if (stop.aborted) return;
      onFound(domain, await withDeadline(DOMAIN_MS, stop, (deadline) => finder.findMailHosts(domain, { deadline })));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, domains.length) }, work));
}
