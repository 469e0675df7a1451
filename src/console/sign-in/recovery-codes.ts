import { createHash, randomInt } from 'node:crypto';

const CODES = 10;
/** Crockford's base32: no I, L, O, U. 16 of them are 80 bits, so that a plain hash hides them. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 16;

/** New recovery codes, such as `7QWN-3FZT-0VXA-K9RM`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
    return letters.replace(/(.{4})(?!$)/g, '$1-');
  });
}

/** All that is stored of a code, in hex; null for text that is none. Case, spaces and hyphens do not matter. */
export function hashRecoveryCode(userId: string, text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  if (letters.length !== LENGTH || /[^0-9A-HJKMNP-TV-Z]/.test(letters)) return null;
  return createHash('sha256').update(`${userId}:${letters}`).digest('hex');
}
