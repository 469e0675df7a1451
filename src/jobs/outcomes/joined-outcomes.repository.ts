import type { EntityManager } from 'typeorm';
import { runBound } from '../../platform/database/run-bound.js';
import { writeOpenPositions, type DueChunk } from '../chunks/due-chunks.repository.js';
import { writeEntryFacts } from './entry-facts.js';
import { joinOutcomes, type OutcomeText } from './joined-outcomes.js';
import type { Outcome } from './outcome.js';

/** Outcomes found in a chunk that the transaction holds. */
export interface FoundInChunk extends DueChunk {
  readonly chunk: number;
  readonly outcomes: readonly Outcome[];
}

export interface JoinedOutcomes {
  /** Outcomes that are stored, with the positions that were open. */
  readonly written: readonly Outcome[];
  /** Outcomes that the rows of their entries must hold: their price changes, or they have no facts. */
  readonly left: readonly Outcome[];
  /** The chunk's list has changed, which resets `begun`. */
  readonly isNoted: boolean;
  /** All of its entries have facts now, and no chunk waits for it: the caller must end it. */
  readonly isEnded: boolean;
}

const INSERT = 'INSERT INTO job_outcomes (job_id, chunk, position, outcomes) VALUES (?, ?, ?, ?)';

/** Stores outcomes of a chunk that lists its open positions in one row, and takes them off its list. */
export async function storeJoined(
  transaction: EntityManager,
  job: Buffer,
  { chunk, open, mayRelease, outcomes }: FoundInChunk,
): Promise<JoinedOutcomes> {
  if (open === null) return { written: [], left: outcomes, isNoted: false, isEnded: false };
  const listed = new Set(open);
  const [written, left, texts]: [Outcome[], Outcome[], OutcomeText[]] = [[], [], []];
  for (const outcome of outcomes) {
    const positions = outcome.positions.filter((position) => listed.delete(position));
    if (positions.length === 0) continue;
    if (outcome.kind === 'facts' && !outcome.knownCatchAll) {
      written.push({ ...outcome, positions });
      texts.push({ positions, facts: writeEntryFacts(outcome.facts) });
    } else {
      left.push({ ...outcome, positions });
    }
  }
  const [first] = texts;
  if (first !== undefined) await runBound(transaction, INSERT, [job, chunk, first.positions[0]!, joinOutcomes(texts)]);
  const isNoted = listed.size < open.length;
  const isEnded = isNoted && listed.size === 0 && !mayRelease && outcomes.every(({ kind }) => kind === 'facts');
  if (isNoted && !isEnded) await writeOpenPositions(transaction, job, chunk, listed);
  return { written, left, isNoted, isEnded };
}
