import type { CheckFacts } from '../../engine/check.js';
import { refusesMailbox } from '../../engine/verdict/verdict.js';
import type { Mode } from '../../engine/verdict/result.js';
import type { CachedCheck } from './cached-check.js';
import { TRANSIENT } from './life.js';

export interface ServiceTerms {
  /** Of the call. */
  readonly mode: Mode;
  /** Oldest check that may answer, seconds. null: as old as its life allows; 0: none, check again. */
  readonly maxAgeSeconds: number | null;
  readonly now: Date;
  /** Whether the answer to a random recipient says anything at this mail host; it does when left out. */
  readonly randomMeansSomething?: (mailHost: string) => boolean;
}

/** `stale`: too old, whatever its depth; `too_shallow`: a check at the depth of the call could find out more. */
export type Service = 'serves' | 'stale' | 'too_shallow';

/**
 * Whether a check on record answers a call (decisions 6.7). A quick call is answered at quick depth whatever is on record:
 * nothing serves it.
 */
export function serves(check: CachedCheck, terms: ServiceTerms): Service {
  const { facts, checkedAt, expiresAt } = check;
  const { mode, maxAgeSeconds, now } = terms;
  if (mode === 'quick') return 'too_shallow';
  if (now >= expiresAt || isOlder(checkedAt, maxAgeSeconds, now) || lacksProof(check)) return 'stale';
  if (facts.mailHosts?.kind === 'found' && facts.probe === null) return 'too_shallow';
  return mode === 'enhanced' && lacksRandom(check, now) && couldLearnMore(facts, terms) ? 'too_shallow' : 'serves';
}

/** An engine that asked for no proof found the mailbox missing. */
function lacksProof({ facts: { probe }, engineVersion }: CachedCheck): boolean {
  return engineVersion === 1 && probe !== null && refusesMailbox(probe);
}

/** A random recipient was not asked about, or got no answer that says anything, which may be another a while later. */
function lacksRandom({ facts: { probe }, depth, checkedAt }: CachedCheck, now: Date): boolean {
  if (depth === 'standard') return true;
  return probe?.random === 'inconclusive' && isOlder(checkedAt, TRANSIENT, now);
}

function isOlder(checkedAt: Date, maxAgeSeconds: number | null, now: Date): boolean {
  if (maxAgeSeconds === null) return false;
  return maxAgeSeconds === 0 || now.getTime() - checkedAt.getTime() > maxAgeSeconds * 1000;
}

/**
 * Whether a random recipient could change what these facts come to: the recipient itself got a positive reply (rows 12-14
 * of decisions 5.1; a 252 counts only beside it), and some mail host of the domain tells recipients apart.
 */
function couldLearnMore(
  { mailHosts, probe }: CheckFacts,
  { randomMeansSomething = () => true }: ServiceTerms,
): boolean {
  if (probe === null || probe.ending !== 'reply' || probe.stage !== 'rcpt') return false;
  if (probe.class !== 'accepted' && (probe.code === null || probe.code >= 300)) return false;
  const exchanges = mailHosts?.kind === 'found' ? mailHosts.exchanges : [];
  return (probe.host === null ? exchanges : [probe.host, ...exchanges]).some(randomMeansSomething);
}
