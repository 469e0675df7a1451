import type { CheckFacts } from '../../engine/check.js';
import type { ProbeMode } from '../probes/pending-probe.js';
import { probeTransition, type ProbeTransition } from '../probes/probe-transition.js';

/** `retry`: addresses that were greylisted before. */
export type ChunkKind = 'first' | 'retry';

/** Decision after a check: the facts are the final outcome, or the address is probed once more. */
export type RetryDecision = { readonly kind: 'final' } | Extract<ProbeTransition, { kind: 'retry' }>;

export interface LaterProbe<Target> {
  readonly target: Target;
  readonly afterMs: number;
  /** Egress of the first attempt (decisions 6.5). */
  readonly egress: string | null;
}

export interface RetryDecisionOptions {
  readonly mode: ProbeMode;
  readonly chunk: ChunkKind;
  /** Delay when the host names none; 0: no retry at all. */
  readonly greylistRetryMs: number;
}

/** Applies the rule of deferred probes to an address of a list: a greylisted address gets one retry (decisions 6.5). */
export function decideRetry(facts: CheckFacts, { mode, chunk, greylistRetryMs }: RetryDecisionOptions): RetryDecision {
  const isRetry = chunk === 'retry';
  const transition = probeTransition(
    { by: isRetry ? 'retry' : 'turn', mode, deferred: false, facts, deadlinePassed: false, deeperCouldTell: false },
    { mode, state: isRetry ? 'greylisted' : 'due' },
    greylistRetryMs,
  );
  return transition.kind === 'retry' ? transition : { kind: 'final' };
}
