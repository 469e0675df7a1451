/** An address as decisions 6.1 accepts it. Made by `parseAddress` only. */
export interface Address {
  /** Trimmed, lowercased, else as it was sent: the form that is answered. What is hashed is `canonicalAddress`. */
  readonly text: string;
  /** The local part as `RCPT TO` carries it: quotes kept where the dot-string form cannot express it. NFC. */
  readonly localPart: string;
  /** The domain in A-label form, lowercase, without a trailing dot. */
  readonly domain: string;
  /** True when the local part needs SMTPUTF8 (RFC 6531). */
  readonly internationalized: boolean;
  /** True when the local part had to stay a quoted-string (RFC 5321 4.1.2). */
  readonly quoted: boolean;
}

/** Which rule of decisions 6.1 a string breaks. */
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
