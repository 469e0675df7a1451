import { readDkimKey } from './dkim-key.js';
import type { Texts } from './texts.js';

/** What look-ups below `_domainkey.<domain>` gave. */
export interface DkimLookUps {
  /** At a random name that nobody publishes; null: not asked, or failed. Texts here come from a wildcard. */
  readonly wildcard: Texts;
  /** At each selector asked for. */
  readonly selectors: readonly Texts[];
}

/**
 * `dkim` of the domain object: true when a selector holds a valid key of its own. What a wildcard answers for any name is
 * no selector's own, so nothing is found while the wildcard's answer is not known. False when every look-up said that
 * there is none, which proves nothing about other selectors; null when one that could have held a key failed.
 */
export function dkimFact({ wildcard, selectors }: DkimLookUps): boolean | null {
  if (wildcard === null) return null;
  if (selectors.some((texts) => texts !== null && hasOwnKey(texts, wildcard))) return true;
  return selectors.includes(null) ? null : false;
}

function hasOwnKey(texts: readonly string[], wildcard: readonly string[]): boolean {
  return texts.some((text) => !wildcard.includes(text) && readDkimKey(text) === 'valid');
}
