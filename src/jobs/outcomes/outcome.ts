import type { CachedCheck } from '../../verify/cache/cached-check.js';
import type { LaterProbe } from '../../verify/bulk/retry-decision.js';
import type { EntryFacts } from './entry-facts.js';
import type { Target } from './targets.js';

/** Source of an outcome, for metrics. */
export type OutcomeSource = 'recorded' | 'dns' | 'probe' | 'unavailable';

/** Final outcome of an address. */
export type Outcome =
  | {
      readonly kind: 'facts';
      readonly source: Exclude<OutcomeSource, 'unavailable'>;
      readonly positions: readonly number[];
      readonly facts: EntryFacts;
      /** The check to put on record; null: it is on record already, or not worth it. */
      readonly check: CachedCheck | null;
      /**
       * The domain was a known catch-all when the job arrived, or the DNS alone shows it: the address costs the
       * standard rate (decisions 4.2).
       */
      readonly knownCatchAll: boolean;
    }
  /** Our own failure prevented a verdict: the address is refunded. */
  | { readonly kind: 'unavailable'; readonly positions: readonly number[] };

/** An address to probe later: it was greylisted, or its mail hosts are paused. */
export type Retry = LaterProbe<Target>;
