import type { Address } from './address.js';

/**
 * Returns the same string for every spelling of a mailbox: NFC, minimum quoting, A-labels, lowercase. Tags and dots
 * stay: only the host knows what they mean. The result cache is keyed by the HMAC of this string (decisions 6.7), so a
 * change here invalidates the cache.
 */
export function canonicalAddress(address: Pick<Address, 'localPart' | 'domain'>): string {
  return `${address.localPart}@${address.domain}`;
}
