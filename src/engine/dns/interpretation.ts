import { RCODE, type DnsMessage, type DnsRecord, type Question } from './dns-message.js';
import type { DnsAnswer, DnsFailure } from './resolver.js';

/**
 * What one message says about one question.
 * `alias`: a CNAME chain that ends at `target` without saying what is there, so that it must be asked about.
 */
export type Interpretation =
  | Exclude<DnsAnswer, { kind: 'failure' }>
  | {
      readonly kind: 'alias';
      readonly target: string;
      /** The names passed on the way, the one asked for first. */
      readonly passed: readonly string[];
      readonly ttlSeconds: number;
      readonly authenticated: boolean;
    }
  | { readonly kind: 'loop' };

/** Longest CNAME chain followed, over all messages; resolvers stop at about as many. */
export const MAX_ALIASES = 10;

/** Facts older than this are asked anew, whatever their owner allows (decisions 6.7: a missing mail host, at most 1 h). */
const MAX_TTL_SECONDS = 3_600;

/** How a server failed to answer, or null for an answer that says something. */
export function failureOf(message: DnsMessage, question: Question): DnsFailure | null {
  if (message.rcode === RCODE.refused) return 'refused';
  if (message.rcode !== RCODE.noError && message.rcode !== RCODE.nxDomain) return 'servfail';
  if (isReferral(message)) return 'servfail';
  if (answersSomethingElse(message, question)) return 'malformed';
  return isDefinite(message, question) ? null : 'not_definite';
}

/** RFC 8914 4: Blocked, Censored, Filtered, Prohibited. The answer is not what the domain's servers say. */
const FILTERED: ReadonlySet<number> = new Set([15, 16, 17, 18]);
/** No Reachable Authority, Network Error: the domain's servers said nothing. */
const UNREACHED: ReadonlySet<number> = new Set([22, 23]);
/** What filters answer with where they have no page to show. */
const NOWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Whether it was found out: "there is none" from a server that recurses, and that does not say that it answers on its own. */
function isDefinite(message: DnsMessage, question: Question): boolean {
  const { recursionAvailable, extendedErrors } = message;
  if (extendedErrors.some((code) => FILTERED.has(code))) return false;
  const fact = interpret(message, question);
  if (fact.kind === 'alias' || fact.kind === 'loop') return true;
  const unreached = extendedErrors.some((code) => UNREACHED.has(code));
  if (fact.kind !== 'records') return recursionAvailable && !unreached;
  // What is old is better than nothing (RFC 8767), unless it leads nowhere.
  return !unreached || !fact.records.every((data) => 'address' in data && NOWHERE.has(data.address));
}

/** The answer section is not empty, and nothing in it is about the name and type asked for. */
function answersSomethingElse({ answers, strayAnswers }: DnsMessage, { name }: Question): boolean {
  return (strayAnswers || answers.length > 0) && !answers.some(({ owner }) => owner === name);
}

/** Reads a message for which `failureOf` is null. */
export function interpret(message: DnsMessage, question: Question): Interpretation {
  const { authenticated } = message;
  const chain = followAliases(message.answers, question);
  if (chain === null) return { kind: 'loop' };
  const { owner, passed } = chain;
  const limit = Math.min(MAX_TTL_SECONDS, chain.ttlSeconds);

  // The answer code speaks of the end of the chain (RFC 6604).
  if (message.rcode === RCODE.nxDomain) {
    return { kind: 'nxdomain', ttlSeconds: Math.min(limit, negativeTtl(message)), authenticated };
  }
  const found = message.answers.filter((record) => record.owner === owner && record.data.type === question.type);
  if (found.length > 0) {
    const ttlSeconds = found.reduce((least, record) => Math.min(least, record.ttlSeconds), limit);
    return { kind: 'records', records: found.map(({ data }) => data), canonicalName: owner, ttlSeconds, authenticated };
  }
  if (passed.length > 0 && !speaksFor(message, owner)) {
    return { kind: 'alias', target: owner, passed, ttlSeconds: limit, authenticated };
  }
  return { kind: 'nodata', ttlSeconds: Math.min(limit, negativeTtl(message)), authenticated };
}

/** Null when the chain comes back to a name it has passed, or is too long. */
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

/** RFC 2308 5: the lesser of the SOA's own TTL and its MINIMUM; without an SOA it is not to be kept at all. */
function negativeTtl(message: DnsMessage): number {
  for (const { data, ttlSeconds } of message.authorities) {
    if (data.type === 'SOA') return Math.min(ttlSeconds, data.minimumSeconds);
  }
  return 0;
}

/** The SOA of a negative answer belongs to the zone of the name it speaks of (RFC 2308 2.2). */
function speaksFor(message: DnsMessage, name: string): boolean {
  return message.authorities.some(
    ({ owner, data }) => data.type === 'SOA' && (owner === '.' || owner === name || name.endsWith(`.${owner}`)),
  );
}

/** RFC 2308 2.2: name servers named without an SOA and without an answer: "ask them", from a server that was to ask. */
function isReferral(message: DnsMessage): boolean {
  return (
    message.rcode === RCODE.noError &&
    message.answers.length === 0 &&
    message.authorities.some(({ data }) => data.type === 'NS') &&
    !message.authorities.some(({ data }) => data.type === 'SOA')
  );
}
