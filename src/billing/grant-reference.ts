/** The rule in words, for the error message when `parseReference` returns null. */
export const REFERENCE_RULE = 'must be 1 to 100 printable ASCII characters, no space first or last';

/** Parses a reference typed by an operator. No outer spaces: the table ignores a trailing one when it compares. */
export function parseReference(text: string): string | null {
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(text) ? text : null;
}

/** Reference of a grant's ledger row; its prefix keeps it apart from those of charges. */
export function grantReference(typed: string): string {
  return `grant:${typed}`;
}
