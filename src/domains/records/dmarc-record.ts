import { parseTagList } from './tag-list.js';

export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

/** One DMARC Policy Record, as far as it bears on which policy applies to a domain. */
export interface DmarcRecord {
  /** `p`, for the domain itself and, without `sp`, for those below it. */
  readonly policy: DmarcPolicy;
  /** `sp`, for domains below; null when it is not there. */
  readonly subdomainPolicy: DmarcPolicy | null;
  /** `np`, for domains below that do not exist; null when it is not there. */
  readonly missingSubdomainPolicy: DmarcPolicy | null;
  /** `y`: a public suffix; `n`: the top of an organisation; `u`: not said. */
  readonly psd: 'y' | 'n' | 'u';
  /** Tags whose value breaks the grammar. They are read as absent, but for the policies: see `parseDmarcRecord`. */
  readonly faults: readonly string[];
  /**
   * False when the record is to be passed over: no valid policy in it and nobody to report to (RFC 9989 4.10.1). Such a
   * record still ends the search.
   */
  readonly effective: boolean;
}

/** The version counts in these letters alone; tag names may be written large (RFC 9989 4.8). */
const VERSION = /^[vV][ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/;
const POLICIES = ['none', 'quarantine', 'reject'] as const;
/** Tags with a fixed set of values, whatever their letters' case. `pct`, `rf` and `ri` are no tags any more. */
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
/** RFC 3986 3: a scheme and something behind it; the size behind `!` is obsolete and ignored. */
const URI = /^[a-z][a-z0-9+.-]*:[^\s,!;]+(?:!\d+[kmgt]?)?$/i;

/**
 * Reads one TXT record as a DMARC Policy Record (RFC 9989 4.7, 4.8). null when it is none: the version is not `DMARC1` in
 * these letters or does not come first, or a tag stands twice.
 *
 * Unknown tags are ignored, faulty ones read as absent. A policy tag matters more: with a `p` that is missing or faulty, or
 * a faulty `sp` or `np`, the record counts as `p=none` when it names an address for reports, else as no DMARC at all.
 * `t=y` asks receivers to go easy while testing; the policy stays what it says.
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
    return POLICIES.find((known) => known === value) ?? null;
  };
  return {
    policy: (broken ? null : policy('p')) ?? 'none',
    subdomainPolicy: broken ? null : policy('sp'),
    missingSubdomainPolicy: broken ? null : policy('np'),
    psd: faults.includes('psd') ? 'u' : psdOf(tags.get('psd')),
    faults: [...faults, ...list.malformed],
    effective: !broken || (tags.get('rua') ?? '').split(',').some((uri) => URI.test(uri.trim())),
  };
}

function psdOf(value: string | undefined): DmarcRecord['psd'] {
  const letter = value?.toLowerCase();
  return letter === 'y' || letter === 'n' ? letter : 'u';
}

/** The one record among the texts at a `_dmarc` name. Several are all discarded (RFC 9989 4.10). */
export function selectDmarcRecord(texts: readonly string[]): DmarcRecord | null {
  const [text, another] = texts.filter((candidate) => VERSION.test(candidate));
  return text === undefined || another !== undefined ? null : parseDmarcRecord(text);
}
