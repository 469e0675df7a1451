import type { DnsAnswer } from '../../engine/dns/resolver.js';

export type DnssecStatus = 'secure' | 'insecure' | 'bogus';

export interface DnssecLookUps {
  /** A control query shows that the resolver validates. */
  readonly resolverValidates: boolean;
  /** The answer to a question about the domain itself, of any type. */
  readonly checked: DnsAnswer;
  /** The answer to the same question with checking disabled; needed where `checked` is a SERVFAIL. */
  readonly unchecked?: DnsAnswer | undefined;
}

/**
 * `dnssec` of the domain object (decisions 8.2, RFC 4035 3.2.2): an answer with the AD bit is `secure`; one that fails, and
 * comes as soon as checking is disabled, is `bogus`; any other answer is `insecure`. null when the resolver does not
 * validate, or the domain's servers do not answer in any case.
 */
export function dnssecFact({ resolverValidates, checked, unchecked }: DnssecLookUps): DnssecStatus | null {
  if (!resolverValidates) return null;
  if (checked.kind !== 'failure') return checked.authenticated ? 'secure' : 'insecure';
  const comesUnchecked = unchecked !== undefined && unchecked.kind !== 'failure';
  return checked.why === 'servfail' && comesUnchecked ? 'bogus' : null;
}
