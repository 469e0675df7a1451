import type { Address } from '../../engine/address/address.js';
import { readSignals, type Knowledge } from '../../engine/assess.js';
import type { CheckFacts } from '../../engine/check.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import type { Mode } from '../../engine/verdict/result.js';
import { decideBeforeProbe } from '../../engine/verdict/verdict.js';
import { probeTransition } from '../../verify/probes/probe-transition.js';
import { isBackedOff } from '../../verify/bulk/backed-off.js';

export interface SettlementTerms {
  readonly mode: Mode;
  readonly knowledge: Knowledge;
  /** Delay when a greylisting host names none; 0: no retry. */
  readonly greylistRetryMs: number;
}

/** What facts mean for an address of a list. */
export type Settlement =
  | { readonly kind: 'final' }
  /** Its mail hosts are left alone for a while, because they refused us. */
  | { readonly kind: 'paused' }
  /** It was greylisted: it is asked about once more, through the same way out. */
  | { readonly kind: 'retry'; readonly afterMs: number; readonly egress: string | null };

/** Decides what becomes of an address. Pure except for the lists. */
export class SettlementRules {
  constructor(private readonly terms: SettlementTerms) {}

  /** True if lists and DNS tell the verdict, so that no mail host is asked. */
  sparesProbe(address: Address, facts: CheckFacts): boolean {
    const { mode, knowledge } = this.terms;
    const check = { parsed: { ok: true, address } as const, mode, deferred: false, facts };
    return decideBeforeProbe(readSignals(check, knowledge, NOTHING_KNOWN)) !== null;
  }

  byProbe(facts: CheckFacts, attempt: 'first' | 'retry'): Settlement {
    if (isBackedOff(facts.probe)) return { kind: 'paused' };
    const { mode, greylistRetryMs } = this.terms;
    if (mode === 'quick') return { kind: 'final' };
    const isRetry = attempt === 'retry';
    const fate = probeTransition(
      { by: isRetry ? 'retry' : 'turn', mode, deferred: false, facts, deadlinePassed: false, deeperCouldTell: false },
      { mode, state: isRetry ? 'greylisted' : 'due' },
      greylistRetryMs,
    );
    return fate.kind === 'retry' ? fate : { kind: 'final' };
  }
}
