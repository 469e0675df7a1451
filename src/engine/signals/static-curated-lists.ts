import { AddressRanges } from '../dns/address-range.js';
import { listedName, type Names } from './listed-name.js';
import type { CuratedLists } from './lists.js';

/** Listed names: lowercase A-labels; each covers its subdomains. Immutable once shared. */
export interface CuratedTables {
  /** Blocked domain to its public-facing reason; null if none was recorded. */
  readonly blocked: ReadonlyMap<string, string | null>;
  /** Domains and mail hosts. */
  readonly spamTraps: Names;
  /** Domains and mail hosts. */
  readonly noProbe: Names;
  readonly noProbeRanges: AddressRanges;
}

/** Curated lists held in memory. */
export class StaticCuratedLists implements CuratedLists {
  constructor(private readonly tables: CuratedTables) {}

  blocked(domain: string): { readonly label: string | null } | null {
    const { blocked } = this.tables;
    const listed = listedName(blocked, domain);
    return listed === null ? null : { label: blocked.get(listed) ?? null };
  }

  isSpamTrap(domain: string, hosts: readonly string[]): boolean {
    const { spamTraps } = this.tables;
    return listedName(spamTraps, domain) !== null || hosts.some((host) => listedName(spamTraps, host) !== null);
  }

  isNoProbe(name: string): boolean {
    return listedName(this.tables.noProbe, name) !== null;
  }

  isNoProbeAddress(ip: string): boolean {
    return this.tables.noProbeRanges.has(ip);
  }
}

export const NOTHING_LISTED: CuratedTables = {
  blocked: new Map(),
  spamTraps: new Set(),
  noProbe: new Set(),
  noProbeRanges: new AddressRanges([]),
};

/** Used until an operator lists something. */
export const NO_CURATED_LISTS: CuratedLists = new StaticCuratedLists(NOTHING_LISTED);
