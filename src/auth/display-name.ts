import { parsePrintableText } from '../platform/cli/printable-text.js';

const MAX_LENGTH = 100;

/** The rule in words, for error messages. */
export const DISPLAY_NAME_RULE = `must be 1 to ${MAX_LENGTH} printable characters`;

/**
 * Reads a name that people gave an account or a key, trimmed; null if it breaks the rule. It is shown, never looked
 * up.
 */
export function parseDisplayName(text: string): string | null {
  const name = parsePrintableText(text, MAX_LENGTH);
  return name === '' ? null : name;
}
