/** Control characters, line separators, lone surrogates, and the marks that turn the direction of a terminal's text. */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/** Text that people wrote for people, trimmed and in NFC; null when it is longer or holds what cannot be printed. */
export function parsePrintableText(text: string, maxCharacters: number): string | null {
  const shown = text.trim().normalize('NFC');
  return Array.from(shown).length <= maxCharacters && !UNPRINTABLE.test(shown) ? shown : null;
}
