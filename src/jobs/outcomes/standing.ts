import type { Address } from '../../engine/address/address.js';
import { readSignals, type Knowledge } from '../../engine/assess.js';
import type { Check, MailHostFacts } from '../../engine/check.js';
import { decideBeforeProbe } from '../../engine/verdict/verdict.js';
import type { JobMode } from '../job.js';

/** What is known of the domain of an address. */
export interface DomainStanding {
  /** Known as a catch-all. */
  readonly catchAll: boolean;
  /** It was so when the job arrived. */
  readonly catchAllAtArrival: boolean;
}

/** @param since when it was found to be a catch-all; undefined: it is not known as one */
export function standingOf(since: Date | undefined, arrivedAt: Date): DomainStanding {
  return { catchAll: since !== undefined, catchAllAtArrival: since !== undefined && since <= arrivedAt };
}

export interface Standing {
  /** No mail host is to be asked: one of the rows 1-9 of decisions 5.1 holds. */
  readonly sparesProbe: boolean;
  /** Row 7, or row 8 when the job arrived, whichever row decides: it costs the standard rate (decisions 4.2). */
  readonly knownCatchAll: boolean;
}

/** How an address stands before anybody is asked. Pure but for the lists it reads. */
export function standing(
  address: Address,
  { mailHosts, mode }: { readonly mailHosts: MailHostFacts | null; readonly mode: JobMode },
  knowledge: Knowledge,
  { catchAll, catchAllAtArrival }: DomainStanding,
): Standing {
  const facts = { mailHosts, probe: null };
  const check: Check = { parsed: { ok: true, address }, mode, deferred: false, facts, checkedAt: NEVER };
  const signals = readSignals(check, knowledge, { catchAll });
  return {
    sparesProbe: decideBeforeProbe(signals) !== null,
    knownCatchAll: signals.acceptsAll === 'always' || catchAllAtArrival,
  };
}

/** Lists do not look at it. */
const NEVER = new Date(0);
