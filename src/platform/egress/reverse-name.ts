import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';

/** The DNS name of an address's PTR record (RFC 1035 3.5, RFC 3596 2.5); null for text that is no address. */
export function reverseName(address: string): string | null {
  if (parseIpv4(address) !== null) return `${address.split('.').toReversed().join('.')}.in-addr.arpa`;
  const groups = parseIpv6(address);
  if (groups === null) return null;
  const digits = groups.map((group) => group.toString(16).padStart(4, '0')).join('');
  return `${digits.split('').toReversed().join('.')}.ip6.arpa`;
}
