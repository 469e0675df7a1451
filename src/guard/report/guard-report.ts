import { KNOWN_TOKENS, OTHER, type TokenField } from './known-tokens.js';

/** A count of events with the same known tokens; unknown tokens are `other`. */
export interface EventCount {
  readonly verdict: string;
  readonly action: string;
  readonly source: string;
  readonly degraded: boolean;
  readonly events: number;
}

export interface DomainCount {
  readonly domain: string;
  readonly events: number;
}

/** Events by token: all known ones in the order of the contract, then `other`. */
export type TokenCounts = Readonly<Record<string, number>>;

/** The totals of a month. */
export interface EventTotals extends Readonly<Record<TokenField, TokenCounts>> {
  readonly events: number;
  readonly degraded: number;
}

/** Adds up the counts of each field. */
export function totalsOf(counts: readonly EventCount[]): EventTotals {
  const sum = (some: readonly EventCount[]): number => some.reduce((total, { events }) => total + events, 0);
  const by = (field: TokenField): TokenCounts =>
    Object.fromEntries(
      [...KNOWN_TOKENS[field], OTHER].map((token) => [token, sum(counts.filter((count) => count[field] === token))]),
    );
  return {
    events: sum(counts),
    verdict: by('verdict'),
    action: by('action'),
    source: by('source'),
    degraded: sum(counts.filter(({ degraded }) => degraded)),
  };
}
