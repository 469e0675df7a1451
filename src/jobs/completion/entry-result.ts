import type { Knowledge } from '../../engine/assess.js';
import type { CheckFacts } from '../../engine/check.js';
import type { ListEntry } from '../../verify/batch-entry.js';
import type { BatchEntry } from '../../verify/verify-batch.response.js';
import { judgeCached, type KnownDomain } from '../../verify/lookup/judge.js';
import type { JobMode } from '../job.js';
import { readEntryFacts, type EntryFacts } from '../outcomes/entry-facts.js';
import { judgeBeforeProbe } from '../outcomes/judge-before-probe.js';
import type { FinishedEntry, WrittenEntry } from './result-pages.repository.js';

/** An entry with its outcome and its parsed address. */
export interface ReadEntry extends FinishedEntry {
  readonly read: ListEntry;
}

export interface EntryResultOptions {
  readonly mode: JobMode;
  readonly knowledge: Knowledge;
  /** Returns what is known about a domain now. */
  readonly knownOf: (domain: string) => KnownDomain;
  /** Called with each result, for metrics. */
  readonly onResult?: (result: BatchEntry) => void;
}

/**
 * Builds the result of an entry from its facts and current knowledge, with the code of the batch endpoint. Facts that
 * cannot be judged any more (the list entry that spared the probe is gone) become an error, and are refunded.
 */
export function entryResult(entry: ReadEntry, terms: EntryResultOptions): WrittenEntry {
  const { position, sent, error, read } = entry;
  if (error !== null || read.kind === 'no_address') return unavailable(position, sent, error === null);
  const facts = readEntryFacts(entry.facts);
  const result = facts === null ? null : judged(facts, read, terms);
  if (result === null) return unavailable(position, sent, true);
  terms.onResult?.(result);
  return { position, result: JSON.stringify(result), verdict: result.result, failed: false };
}

function judged(
  entry: EntryFacts,
  read: ListEntry & { kind: 'address' },
  { mode, knowledge, knownOf }: EntryResultOptions,
) {
  const { address, parsed } = read;
  const { facts, freshness } = entry;
  const domain = knownOf(address.domain);
  const catchAll = entry.catchAll || (domain.catchAll && provesNothing(facts));
  const known = { ...domain, catchAll };
  if (facts.probe === null) {
    const { mailHosts } = facts;
    const { sparesProbe } = judgeBeforeProbe(address, { mailHosts, mode }, knowledge, {
      catchAll,
      catchAllAtArrival: false,
    });
    if (!sparesProbe) return null;
  }
  return judgeCached(entry, { parsed, mode }, knowledge, known, freshness).result;
}

/** True if the mailbox was accepted and no random recipient was refused. A refused mailbox is missing in any case. */
function provesNothing({ probe }: CheckFacts): boolean {
  return probe?.ending === 'reply' && probe.class === 'accepted' && probe.random !== 'refused';
}

/** Builds the answer without a verdict. @param failed true if the entry had an outcome that is now unusable */
function unavailable(position: number, sent: string, failed: boolean): WrittenEntry {
  return { position, result: JSON.stringify({ email: sent, error: 'verify_unavailable' }), failed };
}
