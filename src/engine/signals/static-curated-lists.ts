import { listedName } from './listed-name.js';
import type { CuratedLists } from './lists.js';

export interface BlockedDomain {
  readonly domain: string;
  /** Public-facing reason; null when none was recorded. */
  readonly label: string | null;
}

/** Curated lists held in memory. An entry covers the names below it. Names are lowercase A-labels. */
export class StaticCuratedLists implements CuratedLists {
  private readonly labels: ReadonlyMap<string, string | null>;
  private readonly spamTraps: ReadonlySet<string>;

  /** `spamTraps`: domains and mail hosts. */
  constructor(blocked: readonly BlockedDomain[], spamTraps: readonly string[]) {
    this.labels = new Map(blocked.map(({ domain, label }) => [domain, label]));
    this.spamTraps = new Set(spamTraps);
  }

  blocked(domain: string): { readonly label: string | null } | null {
    const listed = listedName(this.labels, domain);
    return listed === null ? null : { label: this.labels.get(listed) ?? null };
  }

  isSpamTrap(domain: string, hosts: readonly string[]): boolean {
    return [domain, ...hosts].some((name) => listedName(this.spamTraps, name) !== null);
  }
}

/** What holds until an operator has listed something. */
export const NO_CURATED_LISTS: CuratedLists = new StaticCuratedLists([], []);
