import type { CheckFacts } from '../../engine/check.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { refusesMailbox } from '../../engine/verdict/verdict.js';
import type { Mode } from '../../engine/verdict/result.js';
import type { CachedCheck } from './cached-check.js';
import { TRANSIENT } from './life.js';

export interface ServiceTerms {
  /** The call's mode. */
  readonly mode: Mode;
  /** Maximum age in seconds. null: the check's full life; 0: always check again. */
  readonly maxAgeSeconds: number | null;
  readonly now: Date;
  /** Whether this mail host's answer to a random recipient is meaningful; default: as the table of providers says. */
  readonly randomMeansSomething?: (mailHost: string) => boolean;
}

/** `stale`: too old, whatever its depth; `too_shallow`: a check at the call's depth could find out more. */
export type Service = 'serves' | 'stale' | 'too_shallow';

/** Whether a cached check answers a call (decisions 6.7). No cached check answers a quick call. */
export function serves(check: CachedCheck, terms: ServiceTerms): Service {
  const { facts, checkedAt, expiresAt } = check;
  const { mode, maxAgeSeconds, now } = terms;
  if (mode === 'quick') return 'too_shallow';
  if (now >= expiresAt || isOlder(checkedAt, maxAgeSeconds, now) || lacksProof(check)) return 'stale';
  if (facts.mailHosts?.kind === 'found' && facts.probe === null) return 'too_shallow';
  return mode === 'enhanced' && lacksRandom(check, now) && couldLearnMore(facts, terms) ? 'too_shallow' : 'serves';
}

/** Whether an enhanced probe could change the verdict on a cached check. False if no mail host had to be asked. */
export function couldDeeperTell(check: CachedCheck): boolean {
  if (check.facts.probe === null) return false;
  return serves(check, { mode: 'enhanced', maxAgeSeconds: null, now: check.checkedAt }) === 'too_shallow';
}

/** An older engine, which asked for no witness, found the mailbox missing. */
function lacksProof({ facts: { probe }, engineVersion }: CachedCheck): boolean {
  return engineVersion === 1 && probe !== null && refusesMailbox(probe);
}

/** No random recipient was asked for, or its answer was inconclusive and may differ a while later. */
function lacksRandom({ facts: { probe }, depth, checkedAt }: CachedCheck, now: Date): boolean {
  if (depth === 'standard') return true;
  return probe?.random === 'inconclusive' && isOlder(checkedAt, TRANSIENT, now);
}

function isOlder(checkedAt: Date, maxAgeSeconds: number | null, now: Date): boolean {
  if (maxAgeSeconds === null) return false;
  return maxAgeSeconds === 0 || now.getTime() - checkedAt.getTime() > maxAgeSeconds * 1000;
}

/**
 * Whether a random recipient could change the verdict on these facts: the address itself got a positive reply (rows
 * 12-14 of decisions 5.1; a 252 counts only beside it), and some mail host of the domain tells recipients apart.
 */
function couldLearnMore(
  { mailHosts, probe }: CheckFacts,
  { randomMeansSomething = tellsRecipientsApart }: ServiceTerms,
): boolean {
  if (probe === null || probe.ending !== 'reply' || probe.stage !== 'rcpt') return false;
  if (probe.class !== 'accepted' && (probe.code === null || probe.code >= 300)) return false;
  const exchanges = mailHosts?.kind === 'found' ? mailHosts.exchanges : [];
  return (probe.host === null ? exchanges : [probe.host, ...exchanges]).some(randomMeansSomething);
}

/** False if the mail host accepts every recipient, or never tells recipients apart. */
function tellsRecipientsApart(mailHost: string): boolean {
  return findProvider(mailHost)?.randomProbeMeaningful ?? true;
}
