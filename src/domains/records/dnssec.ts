import type { DnsAnswer } from '../../engine/dns/resolver.js';

export const DNSSEC_STATUSES = ['secure', 'insecure', 'bogus'] as const;
export type DnssecStatus = (typeof DNSSEC_STATUSES)[number];

export interface DnssecLookUps {
  /** A control query showed that the resolver validates. */
  readonly resolverValidates: boolean;
  /** The answer to a query of any type about the domain itself. */
  readonly checked: DnsAnswer;
  /** The answer to the same query with checking disabled; needed if `checked` is a SERVFAIL. */
  readonly unchecked?: DnsAnswer | undefined;
}

/**
 * `dnssec` of the domain object (decisions 8.2, RFC 4035 3.2.2): `secure` for an answer with the AD bit; `bogus` if the
 * query fails and succeeds with checking disabled; `insecure` for any other answer. null if the resolver does not
 * validate or the domain's servers do not answer either way.
 */
export function dnssecFact({ resolverValidates, checked, unchecked }: DnssecLookUps): DnssecStatus | null {
  if (!resolverValidates) return null;
  if (checked.kind !== 'failure') return checked.authenticated ? 'secure' : 'insecure';
  const comesUnchecked = unchecked !== undefined && unchecked.kind !== 'failure';
  return checked.why === 'servfail' && comesUnchecked ? 'bogus' : null;
}
