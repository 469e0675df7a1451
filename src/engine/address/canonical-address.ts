import type { Address } from './address.js';

/**
 * One string for every spelling of a mailbox: NFC, minimum quoting, A-labels, lowercase. The result cache is keyed by
 * its HMAC (decisions 6.7), so a change here forgets what is cached. Tags and dots stay: only the host knows their meaning.
 */
export function canonicalAddress(address: Pick<Address, 'localPart' | 'domain'>): string {
  return `${address.localPart}@${address.domain}`;
}
