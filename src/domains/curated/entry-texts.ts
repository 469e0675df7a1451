import { parsePrintableText } from '../../platform/cli/printable-text.js';

/** What people write beside an entry, by the width of its column. */
const MAX_LENGTH = { label: 100, note: 500 } as const;
export type EntryText = keyof typeof MAX_LENGTH;

/** In words, for the message that goes with a null of `parseEntryText`. */
export function entryTextRule(kind: EntryText): string {
  return `must be at most ${MAX_LENGTH[kind]} printable characters`;
}

/** A label or a note, trimmed, perhaps empty; null when it breaks the rule. */
export function parseEntryText(kind: EntryText, text: string): string | null {
  return parsePrintableText(text, MAX_LENGTH[kind]);
}
