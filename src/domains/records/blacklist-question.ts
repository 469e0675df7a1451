import { normalizeName } from '../../engine/dns/domain-name.js';
import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';
import type { Blacklist } from './blacklist.js';

/**
 * The name for an A query to a list (RFC 5782 2.1, 2.4, 3.1): a reversed address, by octets or nibbles, or a domain, in
 * front of the zone. null if the list does not hold such entries: addresses are never sent to domain lists, nor domains
 * to address lists.
 *
 * @param subject an IP address, or a registrable domain in A-labels
 */
export function blacklistQuestion({ zone, lists }: Blacklist, subject: string): string | null {
  const reversed = reversedAddress(subject);
  if ((reversed === null) !== (lists === 'domain')) return null;
  return normalizeName(`${reversed ?? subject}.${zone}`);
}

/** Subjects that must and must not be listed (RFC 5782 5): a list that fails either test is not trusted. */
export function selfTestQuestions(list: Blacklist): {
  readonly listed: string | null;
  readonly unlisted: string | null;
} {
  const [listed, unlisted] = list.lists === 'ip' ? ['127.0.0.2', '127.0.0.1'] : ['test', 'invalid'];
  return {
    listed: blacklistQuestion(list, list.testPoint ?? listed),
    unlisted: blacklistQuestion(list, unlisted),
  };
}

function reversedAddress(ip: string): string | null {
  if (parseIpv4(ip) !== null) return ip.split('.').toReversed().join('.');
  const groups = parseIpv6(ip);
  if (groups === null) return null;
  const nibbles = groups.map((group) => group.toString(16).padStart(4, '0')).join('');
  return nibbles.split('').toReversed().join('.');
}
