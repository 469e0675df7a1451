import { Injectable } from '@nestjs/common';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { CheckCacheRepository } from '../../verify/cache/check-cache.repository.js';
import { isTransient } from '../../verify/cache/life.js';
import { serves } from '../../verify/cache/serves.js';
import type { JobMode } from '../job.js';
import type { ChunkKind } from '../../verify/bulk/retry-decision.js';
import type { Target } from './targets.js';

/** The check on record for an address. */
export interface OnRecord {
  /** A check that answers for the address; null: none. */
  readonly check: CachedCheck | null;
  /** True if a check from before the job is too old. */
  readonly stale: boolean;
}

export interface RecordTerms {
  readonly mode: JobMode;
  readonly arrivedAt: Date;
  readonly chunk: ChunkKind;
}

/** Maximum number of keys per query. */
const MOST_HASHES = 500;

/** Finds checks on record that spare a job its own check. */
@Injectable()
export class ChecksOnRecord {
  constructor(private readonly cache: CheckCacheRepository) {}

  /** Looks up all targets in a few queries. @returns one result per target, in order */
  async lookUp(targets: readonly Target[], terms: RecordTerms): Promise<OnRecord[]> {
    const found: OnRecord[] = [];
    for (let from = 0; from < targets.length;) {
      const batch = batchFrom(targets, from);
      const rows = await this.cache.findByHash(batch.flatMap(({ hashes }) => hashes));
      const now = new Date();
      for (const { hashes } of batch) {
        const row = hashes.map((hash) => rows.get(hash)).find((one) => one !== undefined);
        found.push(row === undefined ? NOTHING : judge(row, terms, now));
      }
      from += batch.length;
    }
    return found;
  }
}

const NOTHING: OnRecord = { check: null, stale: false };

function judge(row: CachedCheck, { mode, arrivedAt, chunk }: RecordTerms, now: Date): OnRecord {
  const service = serves(row, { mode, maxAgeSeconds: null, now });
  // A retry must not reuse the transient result of the first attempt.
  const isAnswer = service === 'serves' && !(chunk === 'retry' && isTransient(row.facts));
  return { check: isAnswer ? row : null, stale: service === 'stale' && row.checkedAt < arrivedAt };
}

function batchFrom(targets: readonly Target[], from: number): readonly Target[] {
  const perTarget = targets[from]?.hashes.length ?? 1;
  return targets.slice(from, from + Math.max(1, Math.floor(MOST_HASHES / perTarget)));
}
