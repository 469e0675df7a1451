/**
 * Controls, format characters (bidi overrides, zero-width space, byte-order mark, soft hyphen), spaces other than
 * U+0020, lone surrogates and noncharacters. Zero-width joiners are allowed: Persian and Indic words need them.
 */
const HIDDEN = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}]/u;

/** True if `text` holds an invisible character that no mailbox or host name contains. */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text);
}
