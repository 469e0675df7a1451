/** A valid address (decisions 6.1). Only `parseAddress` creates one. */
export interface Address {
  /** The address as answered: trimmed, lowercase, otherwise as sent. `canonicalAddress` gives the form that is hashed. */
  readonly text: string;
  /** The local part for `RCPT TO`, in NFC; quoted only if a dot-string cannot express it. */
  readonly localPart: string;
  /** Lowercase A-label form, without a trailing dot. */
  readonly domain: string;
  /** True when the local part needs SMTPUTF8 (RFC 6531). */
  readonly internationalized: boolean;
}

/** The rule of decisions 6.1 that a string breaks. */
export type SyntaxFault =
  | 'empty'
  | 'address_too_long'
  | 'no_at_sign'
  | 'control_character'
  | 'local_part_empty'
  | 'local_part_too_long'
  | 'local_part_character'
  | 'local_part_dots'
  | 'local_part_quoting'
  | 'domain_empty'
  | 'domain_too_long'
  | 'domain_single_label'
  | 'domain_label'
  | 'domain_numeric'
  | 'domain_literal';

export type ParsedAddress =
  | { readonly ok: true; readonly address: Address }
  | { readonly ok: false; readonly text: string; readonly fault: SyntaxFault };
