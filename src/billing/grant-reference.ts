/** In words, for the message that goes with a null of `parseReference`. */
export const REFERENCE_RULE = 'must be 1 to 100 printable ASCII characters, no space first or last';

/** A reference as an operator types it. The table takes one with a space behind it for the one without: there is none. */
export function parseReference(text: string): string | null {
  return /^[\x21-\x7e](?:[\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(text) ? text : null;
}

/** The reference of a grant's ledger row: apart from those of charges, whatever was typed. */
export function grantReference(typed: string): string {
  return `grant:${typed}`;
}
