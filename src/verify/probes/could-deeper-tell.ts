import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { serves } from '../cache/serves.js';

/** Whether an enhanced probe could change what a check on record comes to. False where nobody had to be asked at all. */
export function couldDeeperTell(check: CachedCheck): boolean {
  if (check.facts.probe === null) return false;
  const terms = { mode: 'enhanced', maxAgeSeconds: null, now: check.checkedAt, randomMeansSomething } as const;
  return serves(check, terms) === 'too_shallow';
}

/** False where every recipient is accepted, or none is told apart, whatever is asked. */
export function randomMeansSomething(mailHost: string): boolean {
  return findProvider(mailHost)?.randomProbeMeaningful ?? true;
}
