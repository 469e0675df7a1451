import type { FastifyRequest } from 'fastify';
import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';

/** The client's IP address, an IPv4 address without the IPv6 form that a dual-stack socket gives it; null: none. */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string | null {
  const [bare = ''] = (ip ?? '').replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1);
  return parseIpv4(bare) === null && parseIpv6(bare) === null ? null : bare;
}
