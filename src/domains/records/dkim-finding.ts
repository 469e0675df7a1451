import { readDkimKey } from './dkim-key.js';
import type { Texts } from './texts.js';

/** Results of look-ups below `_domainkey.<domain>`. */
export interface DkimLookUps {
  /** Texts at a random, unpublished name, which come from a wildcard; null: not asked, or failed. */
  readonly wildcard: Texts;
  /** Texts at each selector queried. */
  readonly selectors: readonly Texts[];
}

/**
 * `dkim` of the domain object: true if a selector holds a valid key that no wildcard returns, so the wildcard's answer
 * must be known. False if every look-up found none, which proves nothing about other selectors; null if a look-up
 * failed that could have held a key.
 */
export function dkimFact({ wildcard, selectors }: DkimLookUps): boolean | null {
  if (wildcard === null) return null;
  if (selectors.some((texts) => texts !== null && hasOwnKey(texts, wildcard))) return true;
  return selectors.includes(null) ? null : false;
}

function hasOwnKey(texts: readonly string[], wildcard: readonly string[]): boolean {
  return texts.some((text) => !wildcard.includes(text) && readDkimKey(text) === 'valid');
}
