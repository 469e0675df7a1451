import { parseIpv4, parseIpv6 } from './ip-address.js';

/**
 * True if the address is global unicast, so that a connection can leave for the public internet (decisions 6.2). False
 * for anything but the plain spelling of an IPv4 or IPv6 address. False for IPv6 forms with an IPv4 address inside
 * (mapped, compatible, NAT64, 6to4, Teredo): no mail host is published under one, and each is a second spelling of an
 * address that must not be reached.
 *
 * Source: the IANA special-purpose address registries (RFC 6890) as of 2026.
 */
export function isPublicAddress(ip: string): boolean {
  return ip.includes(':') ? isPublicIpv6(ip) : isPublicIpv4(ip);
}

const SPECIAL_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay anycast, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, limited broadcast
].map((range) => {
  const [network = '', bits = ''] = range.split('/');
  const size = 2 ** (32 - Number(bits));
  const first = parseIpv4(network) ?? Number.NaN;
  return { first, last: first + size - 1 };
});

function isPublicIpv4(ip: string): boolean {
  const value = parseIpv4(ip);
  return value !== null && !SPECIAL_IPV4.some(({ first, last }) => value >= first && value <= last);
}

function isPublicIpv6(ip: string): boolean {
  const groups = parseIpv6(ip);
  if (groups === null) return false;
  const [first = 0, second = 0] = groups;
  // Global unicast is only assigned from 2000::/3: that excludes ::, ::1, mapped, NAT64, ULA, link- and site-local,
  // multicast and everything reserved.
  if (first < 0x2000 || first > 0x3fff) return false;
  if (first === 0x2001) return second >= 0x0200 && second !== 0x0db8; // 2001::/23 protocols and Teredo; documentation
  if (first === 0x2002) return false; // 6to4
  if (first === 0x3fff) return second >= 0x1000; // 3fff::/20 documentation
  return first !== 0x3ffe; // 3ffe::/16, the former 6bone
}
