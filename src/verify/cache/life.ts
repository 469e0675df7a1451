import type { CheckFacts } from '../../engine/check.js';
import { refusesMailbox } from '../../engine/verdict/verdict.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ACCEPTED = 30 * DAY;
const NOT_FOUND = 7 * DAY;
/** Mailboxes get emptied, and accounts get paid. */
const FULL_OR_DISABLED = DAY;
const LONGEST_NO_MAIL_HOST = HOUR;
/** For results that may change within a quarter of an hour. */
export const TRANSIENT = 14 * MINUTE;

/**
 * How long facts may answer new checks (decisions 6.7), in seconds; null for facts that are not stored: the address
 * broke a syntax rule, a probe is still missing, or the DNS answer may not be cached.
 */
export function lifeSeconds(facts: CheckFacts): number | null {
  const { mailHosts, probe } = facts;
  if (mailHosts === null) return null;
  if (mailHosts.kind === 'none') return Math.min(Math.floor(mailHosts.ttlSeconds), LONGEST_NO_MAIL_HOST) || null;
  if (isTransient(facts)) return TRANSIENT;
  if (probe === null) return null;
  if (!refusesMailbox(probe)) return ACCEPTED;
  return probe.class === 'mailbox_full' || probe.class === 'mailbox_disabled' ? FULL_OR_DISABLED : NOT_FOUND;
}

/** True for facts that may change within a quarter of an hour: rows 6 and 16-19 of decisions 5.1. */
export function isTransient({ mailHosts, probe }: CheckFacts): boolean {
  if (mailHosts?.kind === 'broken') return true;
  if (probe === null) return false;
  return !(probe.ending === 'reply' && probe.class === 'accepted') && !refusesMailbox(probe);
}
