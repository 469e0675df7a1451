import { remembered } from '../remembered.js';
import { addressInside } from './address-inside.js';
import { parseAddress } from './parse-address.js';
import { suggestDomain } from './suggest-domain.js';

/** In UTF-16 units. No domain is longer, and no text of that length is kept. */
const LONGEST_KEPT = 253;

/** What names are mistyped for does not depend on who is asked about: a thousand addresses have few domains. */
const suggest = remembered(suggestDomain, 10_000);

/**
 * The address that was meant: with its mistyped domain put right, and without what stands around it or hides in it; null when
 * nothing looks mistyped. Takes any text, so that an address that is refused for its domain alone (`ann@yahoo`,
 * `ann@gmail,com`) is helped as well; what is answered is always an address that `parseAddress` accepts. Advisory: it never
 * changes a verdict.
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
  // The same domain in other characters (`ｇｍａｉｌ.com`) is no slip.
  return given.ok && given.address.domain === corrected.address.domain ? null : corrected.address.text;
}
