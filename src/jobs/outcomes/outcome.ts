import type { CachedCheck } from '../../verify/cache/cached-check.js';
import type { EntryFacts } from './entry-facts.js';
import type { Target } from './targets.js';

/** How an outcome was come by, for metrics. */
export type OutcomeSource = 'recorded' | 'dns' | 'probe' | 'unavailable';

/** What an address of a job came to, for good. */
export type Outcome =
  | {
      readonly kind: 'facts';
      readonly source: Exclude<OutcomeSource, 'unavailable'>;
      readonly positions: readonly number[];
      readonly facts: EntryFacts;
      /** To be put on record; null for what is there already, or not worth it. */
      readonly check: CachedCheck | null;
      /** Known as a catch-all when the job arrived, or by the DNS alone: it costs the standard rate (decisions 4.2). */
      readonly knownCatchAll: boolean;
    }
  /** Failures of our own kept it from a verdict: it is given back. */
  | { readonly kind: 'unavailable'; readonly positions: readonly number[] };

/** An address that is asked about later: it was greylisted, or its mail hosts are left alone for a while. */
export interface Retry {
  readonly target: Target;
  readonly afterMs: number;
  /** The way out that it was asked by (decisions 6.5). */
  readonly egress: string | null;
}
