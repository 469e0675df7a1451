const MAX_LENGTH = 100;
/** Control characters, line separators, lone surrogates, and the marks that turn the direction of a terminal's text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/** In words, for the message that goes with a null of `parseDisplayName`. */
export const DISPLAY_NAME_RULE = `must be 1 to ${MAX_LENGTH} printable characters`;

/** A name that people gave an account or a key, trimmed; null when it breaks the rule. It is shown, never looked up. */
export function parseDisplayName(text: string): string | null {
  const name = text.trim().normalize('NFC');
  return name !== '' && Array.from(name).length <= MAX_LENGTH && !UNPRINTABLE.test(name) ? name : null;
}
