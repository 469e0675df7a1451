import type { CheckFacts } from '../../engine/check.js';
import { readFacts } from '../../verify/cache/facts-text.js';
import type { Freshness } from '../../verify/verify.response.js';
import { readAnyJson } from '../../platform/database/read-json.js';

/** Facts about an entry, without its address. They are judged when the job's results are written. */
export interface EntryFacts {
  readonly facts: CheckFacts;
  readonly checkedAt: Date;
  /** Version of the engine that checked, as in the cache. */
  readonly engineVersion: number;
  /** Says whether the job ran its own check. */
  readonly freshness: Freshness;
  /** The domain was a known catch-all then, which may be why no host was probed (row 8 of decisions 5.1). */
  readonly catchAll: boolean;
}

const FRESHNESS: ReadonlySet<unknown> = new Set<Freshness>(['fresh', 'cached_recent', 'cached_stale_refreshed']);

/** Serializes facts for `job_entries.facts`. */
export function writeEntryFacts({ facts, checkedAt, engineVersion, freshness, catchAll }: EntryFacts): string {
  const { mailHosts, probe } = facts;
  // As text, because a `Date` takes JSON as long as all the rest.
  const at = checkedAt.toISOString();
  return JSON.stringify({ mailHosts, probe, checkedAt: at, engineVersion, freshness, catchAll });
}

/**
 * @param stored text, or the value that the driver parsed
 * @returns null if it cannot be read
 */
export function readEntryFacts(stored: unknown): EntryFacts | null {
  const record = readAnyJson(stored) as Record<string, unknown> | null;
  const facts = readFacts(record);
  if (record === null || facts === null) return null;
  const { checkedAt, engineVersion, freshness, catchAll } = record;
  const at = new Date(String(checkedAt));
  if (Number.isNaN(at.getTime()) || typeof engineVersion !== 'number') return null;
  if (!FRESHNESS.has(freshness) || typeof catchAll !== 'boolean') return null;
  return { facts, checkedAt: at, engineVersion, freshness: freshness as Freshness, catchAll };
}
