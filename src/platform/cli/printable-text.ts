/** Control characters, line separators, lone surrogates, and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/** Reads text by people for people, trimmed and in NFC; null if it is too long or contains unprintable characters. */
export function parsePrintableText(text: string, maxCharacters: number): string | null {
  const shown = text.trim().normalize('NFC');
  return Array.from(shown).length <= maxCharacters && !UNPRINTABLE.test(shown) ? shown : null;
}
