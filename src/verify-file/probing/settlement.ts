import type { Address } from '../../engine/address/address.js';
import { readSignals, type Knowledge } from '../../engine/assess.js';
import type { CheckFacts } from '../../engine/check.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import type { Mode } from '../../engine/verdict/result.js';
import { decideBeforeProbe } from '../../engine/verdict/verdict.js';
import { isBackedOff } from '../../verify/bulk/backed-off.js';
import { decideRetry, type ChunkKind, type RetryDecision } from '../../verify/bulk/retry-decision.js';

export interface SettlementTerms {
  readonly mode: Mode;
  readonly knowledge: Knowledge;
  /** Delay when a greylisting host names none; 0: no retry. */
  readonly greylistRetryMs: number;
}

/** What facts mean for an address of a list. `paused`: its mail hosts are left alone for a while, because they refused us. */
export type Settlement = RetryDecision | { readonly kind: 'paused' };

/** Decides what becomes of an address. Pure except for the lists. */
export class SettlementRules {
  constructor(private readonly terms: SettlementTerms) {}

  /** True if lists and DNS tell the verdict, so that no mail host is asked. */
  sparesProbe(address: Address, facts: CheckFacts): boolean {
    const { mode, knowledge } = this.terms;
    const check = { parsed: { ok: true, address } as const, mode, deferred: false, facts };
    return decideBeforeProbe(readSignals(check, knowledge, NOTHING_KNOWN)) !== null;
  }

  byProbe(facts: CheckFacts, chunk: ChunkKind): Settlement {
    if (isBackedOff(facts.probe)) return { kind: 'paused' };
    const { mode, greylistRetryMs } = this.terms;
    return mode === 'quick' ? { kind: 'final' } : decideRetry(facts, { mode, chunk, greylistRetryMs });
  }
}
