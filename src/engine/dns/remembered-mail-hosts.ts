import { AnswerCache } from './answer-cache.js';
import { inOrderOfPreference } from './mail-exchanges.js';
import type { FindOptions, MailHostFinder } from './mail-host-finder.js';
import type { MailHostsFinding } from './mail-hosts.js';

export interface RememberedMailHostsOptions {
  /** Findings kept; 0 keeps none. */
  readonly maxEntries: number;
  /** Shuffles mail hosts of equal preference. */
  readonly random?: () => number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

type Definite = MailHostsFinding & { readonly kind: 'found' | 'none' };

/** What a mail host weighs in the cache beside other answers. */
const OCTETS_A_HOST = 256;

/**
 * Remembers where mail for a domain goes for as long as each answer that it was read from holds: putting them together anew
 * takes dozens of promises, and everybody asks for the same domains. Only what is whole is kept: nothing where a mail host was
 * slow, had no address or came after the fifth, and no failure.
 */
export class RememberedMailHosts {
  private readonly kept: AnswerCache<Definite>;
  private readonly random: () => number;

  constructor(
    private readonly finder: Pick<MailHostFinder, 'find'>,
    { maxEntries, random = Math.random, now = () => performance.now() }: RememberedMailHostsOptions,
  ) {
    this.kept = new AnswerCache(maxEntries, now);
    this.random = random;
  }

  /** As `MailHostFinder.find`. Who follows the story of a check is told all of it. */
  find(domain: string, options: FindOptions): Promise<MailHostsFinding> {
    const kept = options.trace === undefined ? this.kept.get(domain) : undefined;
    return kept === undefined ? this.findOut(domain, options) : Promise.resolve(reordered(kept, this.random));
  }

  private async findOut(domain: string, options: FindOptions): Promise<MailHostsFinding> {
    const finding = await this.finder.find(domain, options);
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

/** Hosts of equal preference share the load (RFC 5321 5.1), however often the same finding is told. */
function reordered(finding: Definite, random: () => number): Definite {
  if (finding.kind === 'none' || finding.hosts.length === 1) return finding;
  const hosts = inOrderOfPreference(finding.hosts, random);
  return { ...finding, hosts, exchanges: hosts.map(({ name }) => name) };
}
