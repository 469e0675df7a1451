import type { CheckFacts } from '../../engine/check.js';
import { probeTransition } from '../../verify/probes/probe-transition.js';
import type { JobMode } from '../job.js';

/** `retry`: of addresses that were greylisted before. */
export type ChunkKind = 'first' | 'retry';

/** What follows from facts for an address of a job: they are its outcome, or it is asked about once more. */
export type Ending =
  | { readonly kind: 'final' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly egress: string | null };

export interface EndingTerms {
  readonly mode: JobMode;
  readonly chunk: ChunkKind;
  /** Where the host names no delay; 0: no retry at all. */
  readonly greylistRetryMs: number;
}

/** The rule of deferred probes, for an address of a job: a greylisted one has one retry (decisions 6.5). */
export function endingOf(facts: CheckFacts, { mode, chunk, greylistRetryMs }: EndingTerms): Ending {
  const isRetry = chunk === 'retry';
  const fate = probeTransition(
    { by: isRetry ? 'retry' : 'turn', mode, deferred: false, facts, deadlinePassed: false, deeperCouldTell: false },
    { mode, state: isRetry ? 'greylisted' : 'due' },
    greylistRetryMs,
  );
  return fate.kind === 'retry' ? fate : { kind: 'final' };
}
