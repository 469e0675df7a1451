import type { SessionsOutcome } from './politeness.js';
import type { JudgedAnswer } from './judge-recipient.js';

export const NO_ANSWER: SessionsOutcome = { kind: 'no_answer', retryAfterSeconds: null };

const RANK: Readonly<Record<SessionsOutcome['kind'], number>> = {
  no_answer: 0,
  session_refused: 1,
  recipient_refused: 2,
  served: 3,
};

/** The better of two outcomes; the first on a tie. */
export function betterOutcome(first: SessionsOutcome, second: SessionsOutcome): SessionsOutcome {
  return RANK[second.kind] > RANK[first.kind] ? second : first;
}

/** The outcome of one host's facts for the back-off. */
export function outcomeOf(facts: JudgedAnswer): SessionsOutcome {
  return { kind: kindOf(facts), retryAfterSeconds: facts.retryAfterSeconds };
}

/**
 * A demand for TLS or a login, and a denied relay, are how the host is configured: neither hostile to us nor service. A
 * 421 is a refusal of us whatever it says (decisions 6.6), unless it is about the mailbox or greylisting.
 */
function kindOf({ ending, stage, code, class: said, subject }: JudgedAnswer): SessionsOutcome['kind'] {
  if (ending !== 'reply') return 'no_answer';
  if (code === 421 && subject !== 'mailbox' && said !== 'greylisted') return 'session_refused';
  if (said === 'policy') return stage === 'rcpt' ? 'recipient_refused' : 'session_refused';
  return stage === 'rcpt' && subject !== 'us' ? 'served' : 'no_answer';
}
