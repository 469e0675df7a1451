import type { Address } from '../../engine/address/address.js';
import { readSignals, type Knowledge } from '../../engine/assess.js';
import type { MailHostFacts } from '../../engine/check.js';
import { decideBeforeProbe } from '../../engine/verdict/verdict.js';
import type { JobMode } from '../job.js';

/** Catch-all facts about the domain of an address. */
export interface DomainCatchAll {
  /** The domain is a known catch-all. */
  readonly catchAll: boolean;
  readonly catchAllAtArrival: boolean;
}

/** @param since when the domain was found to be a catch-all; undefined: it is not known as one */
export function domainCatchAll(since: Date | undefined, arrivedAt: Date): DomainCatchAll {
  return { catchAll: since !== undefined, catchAllAtArrival: since !== undefined && since <= arrivedAt };
}

export interface BeforeProbeJudgement {
  /** No mail host is probed, because one of the rows 1-9 of decisions 5.1 holds. */
  readonly sparesProbe: boolean;
  /**
   * Row 7 holds, or row 8 did when the job arrived, whichever row decides: the standard rate applies (decisions 4.2).
   */
  readonly knownCatchAll: boolean;
}

/** Judges an address before any probe. Pure except for the lists. */
export function judgeBeforeProbe(
  address: Address,
  { mailHosts, mode }: { readonly mailHosts: MailHostFacts | null; readonly mode: JobMode },
  knowledge: Knowledge,
  { catchAll, catchAllAtArrival }: DomainCatchAll,
): BeforeProbeJudgement {
  const facts = { mailHosts, probe: null };
  const check = { parsed: { ok: true, address } as const, mode, deferred: false, facts };
  const signals = readSignals(check, knowledge, { catchAll });
  return {
    sparesProbe: decideBeforeProbe(signals) !== null,
    knownCatchAll: signals.acceptsAll === 'always' || catchAllAtArrival,
  };
}
