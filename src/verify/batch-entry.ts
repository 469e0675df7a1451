import type { Address, ParsedAddress } from '../engine/address/address.js';
import { parseAddress } from '../engine/address/parse-address.js';
import { MAX_EMAIL_LENGTH } from './max-email-length.js';
import type { EntryError } from './verify-batch.response.js';

/** A parsed entry of a list of addresses. */
export type ListEntry =
  | {
      readonly kind: 'address';
      readonly sent: string;
      readonly address: Address;
      readonly parsed: ParsedAddress & { ok: true };
    }
  | { readonly kind: 'no_address'; readonly error: EntryError };

/**
 * Parses an entry of a list: an entry that is no address, or no text, is an error of that entry alone (decisions 1.5).
 */
export function readListEntry(sent: unknown): ListEntry {
  if (typeof sent !== 'string') return { kind: 'no_address', error: { email: null, error: 'invalid_email' } };
  const parsed = sent.length <= MAX_EMAIL_LENGTH ? parseAddress(sent) : null;
  if (parsed?.ok !== true) return { kind: 'no_address', error: { email: sent, error: 'invalid_email' } };
  return { kind: 'address', sent, address: parsed.address, parsed };
}
