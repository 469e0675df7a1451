import { parseIpv4 } from '../../engine/dns/ip-address.js';
import type { DnsAnswer } from '../../engine/dns/resolver.js';
import type { Blacklist } from './blacklist.js';
import type { AnswerRule } from './data/blacklists.js';

/** `error`: the list gave no verdict: no answer, an answer that is not a list's, or a refused query. */
export type BlacklistReading = 'listed' | 'not_listed' | 'error';

/** 127.255.255.0/24: Spamhaus and others use it to refuse a query (too many queries, open resolver). */
const REFUSALS: AnswerRule = '127.255.255.0-127.255.255.255';
const LIST_ANSWERS: AnswerRule = '127.0.0.0-127.255.255.255';

/**
 * Reads the answer to a blacklist's A query (RFC 5782 2.1). An address outside 127.0.0.0/8 means that the zone is no
 * longer that list. One error among the answers invalidates them all.
 */
export function readBlacklistAnswer(list: Blacklist, answer: DnsAnswer): BlacklistReading {
  if (answer.kind === 'failure' || list.closed === true) return 'error';
  if (answer.kind !== 'records') return 'not_listed';
  const addresses = answer.records.flatMap((data) => (data.type === 'A' ? [parseIpv4(data.address) ?? 0] : []));
  const errors = [REFUSALS, ...(list.errors ?? [])];
  if (addresses.some((address) => !matches(address, LIST_ANSWERS) || errors.some((rule) => matches(address, rule)))) {
    return 'error';
  }
  const isListing = (address: number): boolean => list.listed.some((rule) => matches(address, rule));
  return addresses.some(isListing) ? 'listed' : 'not_listed';
}

/** Whether the answers to `selfTestQuestions` show a working list (RFC 5782 5). */
export function passesSelfTest(
  list: Blacklist,
  answers: { readonly listed: DnsAnswer; readonly unlisted: DnsAnswer },
): boolean {
  return (
    readBlacklistAnswer(list, answers.listed) === 'listed' &&
    readBlacklistAnswer(list, answers.unlisted) === 'not_listed'
  );
}

/**
 * `blacklists` of the domain object: the number of lists with a mail-host address or the domain (decisions 8.2). null
 * if no list gave a valid answer.
 *
 * @param readings per list, its answers about all subjects
 */
export function countListings(readings: readonly (readonly BlacklistReading[])[]): number | null {
  const answered = readings.filter((ofList) => ofList.some((reading) => reading !== 'error'));
  if (answered.length === 0) return null;
  return answered.filter((ofList) => ofList.includes('listed')).length;
}

function matches(address: number, rule: AnswerRule): boolean {
  if (rule.startsWith('&')) return (address & Number(rule.slice(1)) & 0xff) !== 0;
  const [first = '', last = first] = rule.split('-');
  return address >= (parseIpv4(first) ?? Number.NaN) && address <= (parseIpv4(last) ?? Number.NaN);
}
