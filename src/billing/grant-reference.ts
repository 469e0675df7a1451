/** The rule in words, for the error message when `parseReference` returns null. */
export const REFERENCE_RULE = 'must be 1 to 100 printable ASCII characters, no space first or last';

/** Parses the reference an operator types. Refuses spaces: MySQL ignores trailing ones when it compares. */
export function parseReference(text: string): string | null {
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(text) ? text : null;
}

/** Reference of a grant's ledger row; its prefix keeps it apart from those of charges. */
export function grantReference(typed: string): string {
  return `grant:${typed}`;
}
