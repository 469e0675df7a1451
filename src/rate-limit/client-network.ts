import { formatIpv6, parseIpv4, parseIpv6 } from '../engine/dns/ip-address.js';

/**
 * Whom a client address stands for where clients are counted by address: an IPv4 address for itself, an IPv6 address for
 * its /64, of which one subscriber has all. Whatever is no address stands for all that is none.
 * @param address as the socket or a balancer says it: `192.0.2.1`, `::ffff:192.0.2.1`, `fe80::1%eth0`; some balancers
 *   write a port behind it
 */
export function clientNetwork(address: string | undefined): string {
  const bare = withoutPortAndZone(address ?? '');
  if (parseIpv4(bare) !== null) return bare;
  const groups = parseIpv6(bare);
  if (groups === null) return 'none';
  return mappedIpv4(groups) ?? `${formatIpv6([...groups.slice(0, 4), 0, 0, 0, 0])}/64`;
}

function withoutPortAndZone(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(text) ?? [];
  const address = bracketed ?? (text.indexOf(':') === text.lastIndexOf(':') ? text.split(':', 1)[0] : text);
  return address?.split('%', 1)[0] ?? '';
}

function mappedIpv4(groups: readonly number[]): string | null {
  const [, , , , , marker, high = 0, low = 0] = groups;
  if (marker !== 0xffff || groups.slice(0, 5).some((group) => group !== 0)) return null;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
