import type { DnsAnswer } from '../../engine/dns/resolver.js';

/**
 * The TXT records at a name, each with its strings joined. Empty: certainly none (NXDOMAIN or no data). null: unknown,
 * because the look-up failed.
 */
export type Texts = readonly string[] | null;

/**
 * Maximum length of a text parsed as a record, in octets. Real ones have a few hundred; a 4,096-bit DKIM key takes 800.
 * Each record type defines what a longer text means; other texts at the name are unaffected.
 */
export const MAX_TEXT_OCTETS = 2_048;

/** The texts of an answer to a TXT query. Skips records of other types, which a faulty server may add. */
export function textsOf(answer: DnsAnswer): Texts {
  if (answer.kind === 'failure') return null;
  if (answer.kind !== 'records') return [];
  return answer.records.flatMap((data) => (data.type === 'TXT' ? [data.text] : []));
}

/**
 * The single text that begins with a version, as MTA-STS and TLS-RPT select it (RFC 8461 3.1, RFC 8460 3): discards
 * other texts; several of the version count as none. null if none is left.
 */
export function onlyText(texts: readonly string[], isOfVersion: (text: string) => boolean): string | null {
  const [first, second] = texts.filter((text) => isOfVersion(text));
  return first === undefined || second !== undefined ? null : first;
}
