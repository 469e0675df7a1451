import type { DnsAnswer, RecordData } from '../../engine/dns/resolver.js';

export type TlsaRecord = Extract<RecordData, { type: 'TLSA' }>;

/** Octets of the data by matching type (RFC 6698 2.1.3): SHA-256, SHA-512; 0 is the full certificate or key. */
const DIGEST_OCTETS = new Map([
  [1, 32],
  [2, 64],
]);

/** The name of a mail host's TLSA records (RFC 7672 2.2.3). */
export function tlsaName(mailHost: string): string {
  return `_25._tcp.${mailHost}`;
}

/**
 * Whether a sending mail server can use a TLSA record (RFC 7672 3.1): usage DANE-TA (2) or DANE-EE (3), a known
 * selector and matching type, and data of the right length. Usages 0 and 1 are not for SMTP.
 */
export function isUsableTlsa({ usage, selector, matchingType, certificate }: TlsaRecord): boolean {
  if (usage !== 2 && usage !== 3) return false;
  if (selector !== 0 && selector !== 1) return false;
  if (matchingType === 0) return certificate.length > 0;
  return certificate.length === DIGEST_OCTETS.get(matchingType);
}

export interface DaneLookUps {
  /** A control query showed that the resolver validates. Otherwise the AD bit means nothing. */
  readonly resolverValidates: boolean;
  /** The answer to the MX query. */
  readonly mx: DnsAnswer;
  /** The TLSA answers for the mail hosts of the best preference; for the domain itself if it has no MX records. */
  readonly tlsa: readonly DnsAnswer[];
}

/**
 * `dane` of the domain object (decisions 8.2, RFC 7672 2.2): every mail host of the best preference has a usable TLSA
 * record, and these and the MX answer are DNSSEC-secure. False as soon as one answer rules it out; null if the resolver
 * does not validate, or a failed answer could have made it true.
 */
export function daneFact({ resolverValidates, mx, tlsa }: DaneLookUps): boolean | null {
  if (!resolverValidates || mx.kind === 'failure') return null;
  if (!mx.authenticated || mx.kind === 'nxdomain' || tlsa.length === 0) return false;
  if (tlsa.some((answer) => answer.kind !== 'failure' && !isSecureAndUsable(answer))) return false;
  return tlsa.some(({ kind }) => kind === 'failure') ? null : true;
}

function isSecureAndUsable(answer: Exclude<DnsAnswer, { kind: 'failure' }>): boolean {
  if (answer.kind !== 'records' || !answer.authenticated) return false;
  return answer.records.some((data) => data.type === 'TLSA' && isUsableTlsa(data));
}
