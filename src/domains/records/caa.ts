import type { DnsAnswer, RecordData } from '../../engine/dns/resolver.js';

export type CaaRecord = Extract<RecordData, { type: 'CAA' }>;

/** The CAA records at one name. Empty: certainly none; null: the look-up failed. */
export interface CaaLookUp {
  readonly name: string;
  readonly records: readonly CaaRecord[] | null;
}

export type CaaStep =
  | { readonly kind: 'ask'; readonly name: string }
  | { readonly kind: 'known'; readonly caa: boolean | null };

/**
 * Maximum labels of a domain for the climb to the top; beyond it the result is unknown. Real domains have three or
 * four.
 */
const MAX_NAMES = 12;
/** Properties that a certificate authority may safely not know; `issuemail` and the like concern other certificates. */
const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail', 'contactemail', 'contactphone', 'issuevmc']);

/**
 * Finds the CAA records that apply to a domain (RFC 8659 3), one query at a time: those at the nearest name that has
 * any, from the domain up to its top-level domain. Pure: call it with the look-ups made so far until it returns
 * `known`. The resolver follows aliases. `caa` is null if a decisive look-up failed.
 */
export function nextCaaStep(domain: string, lookUps: readonly CaaLookUp[]): CaaStep {
  const known = new Map(lookUps.map((lookUp) => [lookUp.name, lookUp.records]));
  const labels = domain.split('.');
  for (let level = 0; level < labels.length; level++) {
    const name = labels.slice(level).join('.');
    const records = known.get(name);
    if (records === undefined) {
      return level < MAX_NAMES ? { kind: 'ask', name } : { kind: 'known', caa: null };
    }
    if (records === null) return { kind: 'known', caa: null };
    if (records.length > 0) return { kind: 'known', caa: restrictsIssuance(records) };
  }
  return { kind: 'known', caa: false };
}

/**
 * Whether CAA records restrict who may issue certificates for host names. An `issue` or `issuewild` property does, with
 * any value (RFC 8659 4.2, 4.3: a malformed one allows nobody), and so does a critical property unknown to authorities
 * (4.5). `iodef` alone does not.
 */
export function restrictsIssuance(records: readonly CaaRecord[]): boolean {
  return records.some(({ tag, critical }) => {
    const name = tag.toLowerCase();
    return name === 'issue' || name === 'issuewild' || (critical && !KNOWN_TAGS.has(name));
  });
}

/** The CAA records of an answer; null if it failed. */
export function caaRecordsOf(answer: DnsAnswer): CaaLookUp['records'] {
  if (answer.kind === 'failure') return null;
  return answer.kind === 'records' ? answer.records.filter((data) => data.type === 'CAA') : [];
}
