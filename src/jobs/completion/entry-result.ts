import type { Knowledge } from '../../engine/assess.js';
import type { CheckFacts } from '../../engine/check.js';
import type { ListEntry } from '../../verify/batch-entry.js';
import type { BatchEntry } from '../../verify/verify-batch.response.js';
import { judgeCached, type KnownDomain } from '../../verify/lookup/judge.js';
import type { JobMode } from '../job.js';
import { readEntryFacts, type EntryFacts } from '../outcomes/entry-facts.js';
import { standing } from '../outcomes/standing.js';
import type { FinishedEntry, WrittenEntry } from './result-pages.repository.js';

/** An entry that has its outcome, read. */
export interface ReadEntry extends FinishedEntry {
  readonly read: ListEntry;
}

export interface EntryResultOptions {
  readonly mode: JobMode;
  readonly knowledge: Knowledge;
  /** What is known of a domain now. */
  readonly knownOf: (domain: string) => KnownDomain;
  /** Told of each answer, for metrics. */
  readonly onResult?: (result: BatchEntry) => void;
}

/**
 * The answer for an entry of a job: facts judged by what is known now, shaped by the same code as a batch's. Where they
 * cannot be judged any more (what spared the probe is on no list by now) it is an error, and given back.
 */
export function entryResult(entry: ReadEntry, terms: EntryResultOptions): WrittenEntry {
  const { position, sent, error, read } = entry;
  if (error !== null || read.kind === 'no_address') return unavailable(position, sent, error === null);
  const facts = readEntryFacts(entry.facts);
  const result = facts === null ? null : judged(facts, read, terms);
  if (result === null) return unavailable(position, sent, true);
  terms.onResult?.(result);
  return { position, result: JSON.stringify(result), failed: false };
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
    const { sparesProbe } = standing(address, { mailHosts, mode }, knowledge, { catchAll, catchAllAtArrival: false });
    if (!sparesProbe) return null;
  }
  return judgeCached(entry, { parsed, mode }, knowledge, known, freshness).result;
}

/** A mailbox that was accepted where everything is. One that was refused is known to be missing all the same. */
function provesNothing({ probe }: CheckFacts): boolean {
  return probe?.ending === 'reply' && probe.class === 'accepted' && probe.random !== 'refused';
}

/** The answer where there is no verdict. @param failed it had an outcome, which turns out to be of no use */
function unavailable(position: number, sent: string, failed: boolean): WrittenEntry {
  return { position, result: JSON.stringify({ email: sent, error: 'verify_unavailable' }), failed };
}
