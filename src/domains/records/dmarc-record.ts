import { parseTagList } from './tag-list.js';

export const DMARC_POLICIES = ['none', 'quarantine', 'reject'] as const;
export type DmarcPolicy = (typeof DMARC_POLICIES)[number];

/** The parts of a DMARC Policy Record that decide which policy applies to a domain. */
export interface DmarcRecord {
  /** `p`, for the domain itself and, without `sp`, for its subdomains. */
  readonly policy: DmarcPolicy;
  /** `sp`, for subdomains; null if absent. */
  readonly subdomainPolicy: DmarcPolicy | null;
  /** `np`, for subdomains that do not exist; null if absent. */
  readonly missingSubdomainPolicy: DmarcPolicy | null;
  /** `y`: a public suffix; `n`: an organisational domain; `u`: unspecified. */
  readonly psd: 'y' | 'n' | 'u';
  /** Tags with invalid values. They are treated as absent, except policies: see `parseDmarcRecord`. */
  readonly faults: readonly string[];
  /**
   * False if the record is to be ignored: no valid policy and no report address (RFC 9989 4.10.1). It still ends the
   * search.
   */
  readonly effective: boolean;
}

/** The version is case-sensitive; tag names are not (RFC 9989 4.8). */
const VERSION = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
/** Tags with a fixed set of values, case-insensitive. `pct`, `rf` and `ri` are no longer tags. */
const VALUES: Readonly<Record<string, RegExp>> = {
  p: /^(?:none|quarantine|reject)$/i,
  sp: /^(?:none|quarantine|reject)$/i,
  np: /^(?:none|quarantine|reject)$/i,
  psd: /^[ynu]$/i,
  t: /^[yn]$/i,
  adkim: /^[rs]$/i,
  aspf: /^[rs]$/i,
  fo: /^[01ds](?::[01ds])*$/i,
};
/** RFC 3986: a scheme and characters of URIs, or nothing; the size after `!` is obsolete and ignored. */
const URI = /^[a-z][a-z0-9+.-]*:(?:[\w.~:/?#[\]@$&'()*+=-]|%[0-9a-f]{2})*(?:!\d+[kmgt]?)?$/i;

/**
 * Parses one TXT record as a DMARC Policy Record (RFC 9989 4.7, 4.8). null if it is none: the version is not exactly
 * `DMARC1` or not first, or a tag is repeated.
 *
 * Unknown tags are ignored, invalid ones treated as absent. Policy tags are stricter: with a missing or invalid `p`, or
 * an invalid `sp` or `np`, the record counts as `p=none` if it has a report address, else as no DMARC at all. `t=y`
 * asks receivers to be lenient during tests; the policy is unchanged.
 */
export function parseDmarcRecord(text: string): DmarcRecord | null {
  if (!VERSION.test(text)) return null;
  const list = parseTagList(text);
  if (list === null) return null;
  const tags = new Map([...list.tags].map(([name, value]) => [name.toLowerCase(), value]));
  if (tags.size < list.tags.size) return null;

  const faults = Object.entries(VALUES).flatMap(([name, right]) => {
    const value = tags.get(name);
    return value === undefined || right.test(value) ? [] : [name];
  });
  const broken = !tags.has('p') || ['p', 'sp', 'np'].some((name) => faults.includes(name));
  const policy = (name: string): DmarcPolicy | null => {
    const value = tags.get(name)?.toLowerCase();
    return DMARC_POLICIES.find((known) => known === value) ?? null;
  };
  return {
    policy: (broken ? null : policy('p')) ?? 'none',
    subdomainPolicy: broken ? null : policy('sp'),
    missingSubdomainPolicy: broken ? null : policy('np'),
    psd: psdOf(tags.get('psd')),
    faults: [...faults, ...list.malformed],
    effective: !broken || (tags.get('rua') ?? '').split(',').some((uri) => URI.test(uri.trim())),
  };
}

function psdOf(value: string | undefined): DmarcRecord['psd'] {
  const letter = value?.toLowerCase();
  return letter === 'y' || letter === 'n' ? letter : 'u';
}

/** The only record among the texts at a `_dmarc` name. Several are all discarded (RFC 9989 4.10). */
export function selectDmarcRecord(texts: readonly string[]): DmarcRecord | null {
  const [text, another] = texts.filter((candidate) => VERSION.test(candidate));
  return text === undefined || another !== undefined ? null : parseDmarcRecord(text);
}
