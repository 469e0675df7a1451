import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { serves } from '../cache/serves.js';

/** Whether an enhanced probe could change the verdict on a cached check. False if no mail host had to be asked. */
export function couldDeeperTell(check: CachedCheck): boolean {
  if (check.facts.probe === null) return false;
  const terms = { mode: 'enhanced', maxAgeSeconds: null, now: check.checkedAt, randomMeansSomething } as const;
  return serves(check, terms) === 'too_shallow';
}

/** False if the mail host accepts every recipient, or never tells recipients apart. */
export function randomMeansSomething(mailHost: string): boolean {
  return findProvider(mailHost)?.randomProbeMeaningful ?? true;
}
