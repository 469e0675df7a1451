import { formatIpv6, parseIpv4, parseIpv6 } from '../engine/dns/ip-address.js';

/**
 * The network that a client address counts for: an IPv4 address itself, or the /64 of an IPv6 address, since one
 * subscriber has all of it. All invalid addresses count as one.
 * @param address from the socket or a proxy: `192.0.2.1`, `::ffff:192.0.2.1`, `fe80::1%eth0`; some proxies append a
 * port
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
