import type { Deadline } from '../../engine/deadline.js';
import type { DnsAnswer, RecordType, Resolver } from '../../engine/dns/resolver.js';
import { reverseName } from './reverse-name.js';

/** DNS facts about an egress. Null: unknown, because the DNS failed or there is no address to look up. */
export interface NameFindings {
  /** The HELO name has an address. */
  readonly heloResolves: boolean | null;
  /** Every known source address has a PTR record that names the HELO name. */
  readonly reverseMatches: boolean | null;
}

export const NAMES_UNKNOWN: NameFindings = { heloResolves: null, reverseMatches: null };

/** Runs the DNS look-ups that mail hosts run about us (RFC 5321 4.1.4, RFC 1912 2.1). */
export async function checkNames(
  resolver: Resolver,
  heloName: string,
  sources: readonly string[],
  deadline: Deadline,
): Promise<NameFindings> {
  const ask = (name: string, type: RecordType): Promise<DnsAnswer> => resolver.query(name, type, { deadline });
  const [ipv4, ipv6, ...pointers] = await Promise.all([
    ask(heloName, 'A'),
    ask(heloName, 'AAAA'),
    ...sources
      .map((source) => reverseName(source))
      .filter((name) => name !== null)
      .map((name) => ask(name, 'PTR')),
  ]);
  return {
    heloResolves: anyOf([exists(ipv4), exists(ipv6)]),
    reverseMatches: pointers.length === 0 ? null : allOf(pointers.map((answer) => pointsTo(answer, heloName))),
  };
}

function exists(answer: DnsAnswer): boolean | null {
  return answer.kind === 'failure' ? null : answer.kind === 'records';
}

function pointsTo(answer: DnsAnswer, name: string): boolean | null {
  if (answer.kind !== 'records') return exists(answer);
  return answer.records.some((record) => record.type === 'PTR' && record.name === name);
}

function anyOf(findings: readonly (boolean | null)[]): boolean | null {
  if (findings.includes(true)) return true;
  return findings.includes(null) ? null : false;
}

function allOf(findings: readonly (boolean | null)[]): boolean | null {
  if (findings.includes(false)) return false;
  return findings.includes(null) ? null : true;
}
