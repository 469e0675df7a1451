/**
 * Controls, format characters (bidi overrides, zero-width space, byte-order mark, soft hyphen), spaces other than
 * U+0020, lone surrogates and noncharacters. The zero-width joiners are spared: Persian and Indic words need them.
 */
const HIDDEN = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}]/u;

/** True when `text` holds a character that a reader cannot see and no mailbox or host is named with. */
export function hasHiddenCharacter(text: string): boolean {
  return HIDDEN.test(text);
}
