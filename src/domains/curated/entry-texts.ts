import { parsePrintableText } from '../../platform/cli/printable-text.js';

/** Texts that belong to an entry, with the width of their column. */
const MAX_LENGTH = { label: 100, note: 500 } as const;
export type EntryText = keyof typeof MAX_LENGTH;

/** The rule in words, for the error message when `parseEntryText` returns null. */
export function entryTextRule(kind: EntryText): string {
  return `must be at most ${MAX_LENGTH[kind]} printable characters`;
}

/** Parses a label or a note: trimmed, may be empty; null if invalid. */
export function parseEntryText(kind: EntryText, text: string): string | null {
  return parsePrintableText(text, MAX_LENGTH[kind]);
}
