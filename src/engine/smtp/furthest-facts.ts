import { SMTPUTF8_NOT_OFFERED } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import { SMTP_STAGES } from './reply.js';

/**
 * Chooses between the facts of two mail hosts: the furthest stage wins (decisions 5.1). At the same stage, in this
 * order: an answer about the mailbox, a deferral that is not about us, any other reply, garbage, a closed connection,
 * silence, no connection, a host left alone, a host without SMTPUTF8 (its stage counts as RCPT). On a tie the preferred
 * host.
 */
export function furthestFacts(first: ProbeFacts | null, second: ProbeFacts): ProbeFacts {
  if (first === null) return second;
  const further = SMTP_STAGES.indexOf(second.stage) - SMTP_STAGES.indexOf(first.stage);
  if (further !== 0) return further > 0 ? second : first;
  return telling(second) > telling(first) ? second : first;
}

/**
 * True if no other mail host needs to be asked: RCPT was accepted or permanently refused. A sending server would not
 * try another host after that either, whatever the refusal is about. Missing SMTPUTF8 does not count: another host may
 * have it.
 */
export function endsSearch(facts: ProbeFacts): boolean {
  if (facts.rule === SMTPUTF8_NOT_OFFERED.rule) return false;
  if (facts.stage !== 'rcpt' || facts.ending !== 'reply') return false;
  return facts.permanent || facts.code === null || facts.code < 300 || facts.code >= 500;
}

function telling(facts: ProbeFacts): number {
  if (facts.ending === 'reply') {
    if (facts.rule === SMTPUTF8_NOT_OFFERED.rule) return -1;
    if (facts.subject === 'us') return 5;
    return endsSearch(facts) ? 7 : 6;
  }
  return { garbage: 4, closed: 3, timeout: 2, no_connection: 1, backed_off: 0 }[facts.ending];
}
