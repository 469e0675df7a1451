import { ROLE_QUALIFIERS, ROLE_WORDS } from './data/role-words.js';
import { NO_NAMES, type Names } from './listed-name.js';

/** Longer local parts are no roles. */
const MAX_LENGTH = 40;

const shipped = new Set(ROLE_WORDS.flatMap((word) => [word, word.replaceAll('-', '')]));
const qualifiers = new Set(ROLE_QUALIFIERS);

/**
 * True if a lowercase local part names a function instead of a person. Drops a `+tag`; treats `.`, `-` and `_` alike.
 * `sales-eu`, `eu.sales`, `no_reply` and `support-2` are roles; `john.sales` and `bill.ing` are not: every part must be
 * a role or a qualifier, and only a compound word may miss its separator.
 * @param added words besides the shipped ones; those with separators are joined by hyphens
 */
export function isRoleLocalPart(localPart: string, added: Names = NO_NAMES): boolean {
  const plus = localPart.indexOf('+', 1);
  const base = plus < 0 ? localPart : localPart.slice(0, plus);
  if (base.length > MAX_LENGTH) return false;
  if (isWord(base, added)) return true;
  if (!/[._-]/.test(base)) return false;

  const parts = base.split(/[._-]+/).filter((part) => part !== '');
  return isWord(parts.join('-'), added) || isQualifiedRole(parts, added);
}

/** True for at least one role (one word, or a compound of up to four), and only qualifiers and numbers besides. */
function isQualifiedRole(parts: readonly string[], added: Names): boolean {
  let roles = 0;
  for (let i = 0; i < parts.length;) {
    const taken = roleLength(parts, i, added);
    if (taken > 0) roles++;
    else if (!qualifiers.has(parts[i] ?? '') && !/^\d{1,4}$/.test(parts[i] ?? '')) return false;
    i += Math.max(1, taken);
  }
  return roles > 0;
}

/** Number of parts from `start` that form a role; 0 for none. */
function roleLength(parts: readonly string[], start: number, added: Names): number {
  for (let length = Math.min(4, parts.length - start); length > 0; length--) {
    if (isWord(parts.slice(start, start + length).join('-'), added)) return length;
  }
  return 0;
}

function isWord(text: string, added: Names): boolean {
  return shipped.has(text) || added.has(text);
}
