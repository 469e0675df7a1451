import { RCODE, type DnsMessage, type DnsRecord, type Question } from './dns-message.js';
import type { DnsAnswer, DnsFailure } from './resolver.js';

/**
 * The meaning of one message for one question.
 * `alias`: a CNAME chain that ends at `target` without a record, so that `target` must be asked about.
 */
export type Interpretation =
  | Exclude<DnsAnswer, { kind: 'failure' }>
  | {
      readonly kind: 'alias';
      readonly target: string;
      /** The names of the chain, the question's first. */
      readonly passed: readonly string[];
      readonly ttlSeconds: number;
      readonly authenticated: boolean;
    }
  | { readonly kind: 'loop' };

/** Longest CNAME chain followed, over all messages; about the limit of other resolvers. */
export const MAX_ALIASES = 10;

/** Longest TTL used, whatever the owner allows (decisions 6.7: a missing mail host, at most 1 h). */
const MAX_TTL_SECONDS = 3_600;

/** How the server failed to answer, or null for a usable answer. */
export function failureOf(message: DnsMessage, question: Question): DnsFailure | null {
  if (message.rcode === RCODE.refused) return 'refused';
  if (message.rcode !== RCODE.noError && message.rcode !== RCODE.nxDomain) return 'servfail';
  if (isReferral(message)) return 'servfail';
  if (answersSomethingElse(message, question)) return 'malformed';
  return isDefinite(message, question) ? null : 'not_definite';
}

/** RFC 8914 4: Blocked, Censored, Filtered, Prohibited. Not the answer of the domain's servers. */
const FILTERED: ReadonlySet<number> = new Set([15, 16, 17, 18]);
/** No Reachable Authority, Network Error: the domain's servers did not answer. */
const UNREACHED: ReadonlySet<number> = new Set([22, 23]);
/** The addresses that filters answer with if they show no page. */
const NOWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * True unless a server filtered the answer, or says "there is none" without recursion or without reaching the domain's
 * servers.
 */
function isDefinite(message: DnsMessage, question: Question): boolean {
  const { recursionAvailable, extendedErrors } = message;
  if (extendedErrors.some((code) => FILTERED.has(code))) return false;
  const fact = interpret(message, question);
  if (fact.kind === 'alias' || fact.kind === 'loop') return true;
  const unreached = extendedErrors.some((code) => UNREACHED.has(code));
  if (fact.kind !== 'records') return recursionAvailable && !unreached;
  // A stale answer is better than none (RFC 8767), unless it leads nowhere.
  return !unreached || !fact.records.every((data) => 'address' in data && NOWHERE.has(data.address));
}

/** True if the answer section is not empty but holds nothing for the name and type of the question. */
function answersSomethingElse({ answers, strayAnswers }: DnsMessage, { name }: Question): boolean {
  return (strayAnswers || answers.length > 0) && !answers.some(({ owner }) => owner === name);
}

/** Interprets a message for which `failureOf` returns null. */
export function interpret(message: DnsMessage, question: Question): Interpretation {
  const { authenticated } = message;
  const chain = followAliases(message.answers, question);
  if (chain === null) return { kind: 'loop' };
  const { owner, passed } = chain;
  const limit = Math.min(MAX_TTL_SECONDS, chain.ttlSeconds);

  // The response code applies to the end of the chain (RFC 6604).
  if (message.rcode === RCODE.nxDomain) {
    return { kind: 'nxdomain', ttlSeconds: Math.min(limit, negativeTtl(message)), authenticated };
  }
  const found = message.answers.filter((record) => record.owner === owner && record.data.type === question.type);
  if (found.length > 0) {
    const ttlSeconds = found.reduce((least, record) => Math.min(least, record.ttlSeconds), limit);
    return { kind: 'records', records: found.map(({ data }) => data), ttlSeconds, authenticated };
  }
  if (passed.length > 0 && !speaksFor(message, owner)) {
    return { kind: 'alias', target: owner, passed, ttlSeconds: limit, authenticated };
  }
  return { kind: 'nodata', ttlSeconds: Math.min(limit, negativeTtl(message)), authenticated };
}

/** Null if the chain loops or is too long. */
function followAliases(
  answers: readonly DnsRecord[],
  question: Question,
): { owner: string; passed: string[]; ttlSeconds: number } | null {
  const passed: string[] = [];
  let owner = question.name;
  let ttlSeconds = Number.POSITIVE_INFINITY;
  while (question.type !== 'CNAME') {
    const at = owner;
    const alias = answers.find((record) => record.owner === at && record.data.type === 'CNAME');
    if (alias === undefined || alias.data.type !== 'CNAME') break;
    passed.push(owner);
    owner = alias.data.name;
    ttlSeconds = Math.min(ttlSeconds, alias.ttlSeconds);
    if (passed.includes(owner) || passed.length > MAX_ALIASES) return null;
  }
  return { owner, passed, ttlSeconds };
}

/** RFC 2308 5: the lesser of the SOA's TTL and its MINIMUM; 0 without an SOA. */
function negativeTtl(message: DnsMessage): number {
  for (const { data, ttlSeconds } of message.authorities) {
    if (data.type === 'SOA') return Math.min(ttlSeconds, data.minimumSeconds);
  }
  return 0;
}

/** The SOA of a negative answer must belong to the zone of the name (RFC 2308 2.2). */
function speaksFor(message: DnsMessage, name: string): boolean {
  return message.authorities.some(
    ({ owner, data }) => data.type === 'SOA' && (owner === '.' || owner === name || name.endsWith(`.${owner}`)),
  );
}

/** RFC 2308 2.2: NS records without an SOA and without an answer: the server refers us to others instead of asking them. */
function isReferral(message: DnsMessage): boolean {
  return (
    message.rcode === RCODE.noError &&
    message.answers.length === 0 &&
    message.authorities.some(({ data }) => data.type === 'NS') &&
    !message.authorities.some(({ data }) => data.type === 'SOA')
  );
}
