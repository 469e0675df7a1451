import { parsePrintableText } from '../platform/cli/printable-text.js';

const MAX_LENGTH = 100;

/** In words, for the message that goes with a null of `parseDisplayName`. */
export const DISPLAY_NAME_RULE = `must be 1 to ${MAX_LENGTH} printable characters`;

/** A name that people gave an account or a key, trimmed; null when it breaks the rule. It is shown, never looked up. */
export function parseDisplayName(text: string): string | null {
  const name = parsePrintableText(text, MAX_LENGTH);
  return name === '' ? null : name;
}
