import { remembered } from '../remembered.js';
import { addressInside } from './address-inside.js';
import { parseAddress } from './parse-address.js';
import { suggestDomain } from './suggest-domain.js';

/** Longest domain cached, in UTF-16 units. */
const LONGEST_KEPT = 253;

/** Suggestions depend on the domain alone, and a thousand addresses share few domains. */
const suggest = remembered(suggestDomain, 10_000);

/**
 * Suggests the address that was meant: without decoration and hidden characters, and with a mistyped domain corrected.
 * Null if nothing looks mistyped. Takes any text, including one refused for its domain (`ann@yahoo`, `ann@gmail,com`);
 * the suggestion is always a valid address. Advisory: it never changes a verdict.
 */
export function suggestCorrection(text: string): string | null {
  const inside = addressInside(text);
  return withDomainPutRight(inside ?? text) ?? inside;
}

function withDomainPutRight(text: string): string | null {
  const at = text.lastIndexOf('@');
  if (at < 1) return null;
  const typed = text.slice(at + 1);
  const domain = typed.length > LONGEST_KEPT ? suggestDomain(typed) : suggest(typed);
  if (domain === null) return null;
  const corrected = parseAddress(`${text.slice(0, at)}@${domain}`);
  if (!corrected.ok) return null;
  const given = parseAddress(text);
  // The same domain in other characters (`ｇｍａｉｌ.com`) is not a slip.
  return given.ok && given.address.domain === corrected.address.domain ? null : corrected.address.text;
}
