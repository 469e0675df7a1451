import type { DnsAnswer } from '../../engine/dns/resolver.js';

/**
 * The TXT records at a name, each with its strings joined. Empty: definitely none (NXDOMAIN or no data). null: not known,
 * because the look-up failed.
 */
export type Texts = readonly string[] | null;

/**
 * Longest text that is read as a record, in octets. Real ones have some hundred; a DKIM key of 4,096 bits takes 800. What a
 * longer text means, each kind of record says for itself; no other text at the name suffers by it.
 */
export const MAX_TEXT_OCTETS = 2_048;

/** The texts of an answer to a TXT question. Records of other types, which a faulty server may add, are passed over. */
export function textsOf(answer: DnsAnswer): Texts {
  if (answer.kind === 'failure') return null;
  if (answer.kind !== 'records') return [];
  return answer.records.flatMap((data) => (data.type === 'TXT' ? [data.text] : []));
}

/**
 * The one text that begins with a version, as MTA-STS and TLS-RPT select it (RFC 8461 3.1, RFC 8460 3): others are
 * discarded, several of that version count as none. null where none is left.
 */
export function onlyText(texts: readonly string[], isOfVersion: (text: string) => boolean): string | null {
  const [first, second] = texts.filter((text) => isOfVersion(text));
  return first === undefined || second !== undefined ? null : first;
}
