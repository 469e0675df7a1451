import type { CheckFacts } from '../../engine/check.js';
import { readFacts } from '../../verify/cache/facts-text.js';
import type { Freshness } from '../../verify/verify.response.js';

/** What an entry of a job came to: facts, judged when the job's results are shaped. They hold no address. */
export interface EntryFacts {
  readonly facts: CheckFacts;
  readonly checkedAt: Date;
  /** Of the engine that checked, as in the cache. */
  readonly engineVersion: number;
  /** Whether the job checked by itself. */
  readonly freshness: Freshness;
  /** The domain was known as a catch-all then: it may be why nobody was asked (row 8 of decisions 5.1). */
  readonly catchAll: boolean;
}

const FRESHNESS: ReadonlySet<unknown> = new Set<Freshness>(['fresh', 'cached_recent', 'cached_stale_refreshed']);

/** As they stand in `job_entries.facts`. */
export function writeEntryFacts({ facts, checkedAt, engineVersion, freshness, catchAll }: EntryFacts): string {
  const { mailHosts, probe } = facts;
  return JSON.stringify({ mailHosts, probe, checkedAt, engineVersion, freshness, catchAll });
}

/** @param stored text, or what the driver made of it; null when it cannot be read */
export function readEntryFacts(stored: unknown): EntryFacts | null {
  const record = (typeof stored === 'string' ? parsed(stored) : stored) as Record<string, unknown> | null;
  const facts = readFacts(record);
  if (record === null || facts === null) return null;
  const { checkedAt, engineVersion, freshness, catchAll } = record;
  const at = new Date(String(checkedAt));
  if (Number.isNaN(at.getTime()) || typeof engineVersion !== 'number') return null;
  if (!FRESHNESS.has(freshness) || typeof catchAll !== 'boolean') return null;
  return { facts, checkedAt: at, engineVersion, freshness: freshness as Freshness, catchAll };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
