import { AnswerCache } from './answer-cache.js';
import { inOrderOfPreference } from './mail-exchanges.js';
import type { MailHostLookupOptions, MailHostFinder } from './mail-host-finder.js';
import type { MailHostsFinding } from './mail-hosts.js';

export interface RememberedMailHostsOptions {
  /** Number of cached findings; 0 disables the cache. */
  readonly maxEntries: number;
  /** Shuffles mail hosts of equal preference. */
  readonly random?: () => number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

type Definite = MailHostsFinding & { readonly kind: 'found' | 'none' };

/** Size of one mail host in the cache, in octets. */
const OCTETS_A_HOST = 256;

/**
 * Caches the mail hosts of domains for the TTL of the answers they come from: building them again takes dozens of
 * promises, and callers ask for the same domains. Caches only complete findings: none with a mail host that was slow,
 * had no address or came after the fifth, and no failure.
 */
export class RememberedMailHosts {
  private readonly kept: AnswerCache<Definite>;
  private readonly random: () => number;

  constructor(
    private readonly finder: Pick<MailHostFinder, 'findMailHosts'>,
    { maxEntries, random = Math.random, now = () => performance.now() }: RememberedMailHostsOptions,
  ) {
    this.kept = new AnswerCache(maxEntries, now);
    this.random = random;
  }

  /** Like `MailHostFinder.find`. A traced check bypasses the cache, so that its trace is complete. */
  findMailHosts(domain: string, options: MailHostLookupOptions): Promise<MailHostsFinding> {
    const kept = options.trace === undefined ? this.kept.get(domain) : undefined;
    return kept === undefined ? this.findOut(domain, options) : Promise.resolve(reordered(kept, this.random));
  }

  private async findOut(domain: string, options: MailHostLookupOptions): Promise<MailHostsFinding> {
    const finding = await this.finder.findMailHosts(domain, options);
    if (isWhole(finding)) this.kept.set(domain, finding, weightOf(finding));
    return finding;
  }
}

function isWhole(finding: MailHostsFinding): finding is Definite {
  return finding.kind === 'none' || (finding.kind === 'found' && finding.hosts.length === finding.exchanges.length);
}

function weightOf(finding: Definite): number {
  return finding.kind === 'found' ? OCTETS_A_HOST * finding.hosts.length : OCTETS_A_HOST;
}

/** Shuffles hosts of equal preference anew for each caller, so that they share the load (RFC 5321 5.1). */
function reordered(finding: Definite, random: () => number): Definite {
  if (finding.kind === 'none' || finding.hosts.length === 1) return finding;
  const hosts = inOrderOfPreference(finding.hosts, random);
  return { ...finding, hosts, exchanges: hosts.map(({ name }) => name) };
}
