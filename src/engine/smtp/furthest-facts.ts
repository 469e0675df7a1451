import { SMTPUTF8_NOT_OFFERED } from './judge-recipient.js';
import type { ProbeFacts } from './prober.js';
import { SMTP_STAGES } from './reply.js';

/**
 * Over several mail hosts the furthest stage decides (decisions 5.1). At the same stage, the facts that say more:
 * an answer about the mailbox, then a deferral that does not speak of us, then any other reply, then bytes that are no
 * reply, a peer that hung up, silence, no connection, a host that was left alone, a host that could not be asked for want of
 * SMTPUTF8 (its stage counts as RCPT). On a tie the host that was preferred.
 */
export function furthestFacts(first: ProbeFacts | null, second: ProbeFacts): ProbeFacts {
  if (first === null) return second;
  const further = SMTP_STAGES.indexOf(second.stage) - SMTP_STAGES.indexOf(first.stage);
  if (further !== 0) return further > 0 ? second : first;
  return telling(second) > telling(first) ? second : first;
}

/**
 * True when no other mail host needs to be asked: the recipient was accepted or refused for good at RCPT. A sending server
 * would not go on to another host after that either, whatever the refusal speaks of. That a host has no SMTPUTF8 speaks for
 * that host alone: another one may have it.
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
