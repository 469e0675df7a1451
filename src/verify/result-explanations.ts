import type { SmtpDiagnosis } from '../engine/smtp/classification.js';
import type { Reason } from '../engine/verdict/result.js';

/** What a result means and what to do with it, for a person. */
export interface Explanation {
  /** Why the verdict is what it is. */
  readonly sentence: string;
  /** What to do. */
  readonly advice: string;
}

const SEND = 'Send to it.';
const DO_NOT_SEND = 'Do not send to it.';
const ASK_AGAIN = 'Verify it again later; until then treat it as unknown, not as bad.';

/** One text for each reason. The documentation shows the same. */
export const REASON_EXPLANATIONS: Readonly<Record<Reason, Explanation>> = {
  bad_syntax: { sentence: 'This is no email address.', advice: 'Correct it or remove it.' },
  no_mx: {
    sentence: 'The domain takes no mail: it does not exist, says so, or has no mail host that can be reached.',
    advice: `${DO_NOT_SEND} Look for a typing mistake in the domain.`,
  },
  mailbox_accepts: { sentence: 'The mail host accepts mail for this mailbox.', advice: SEND },
  mailbox_not_found: {
    sentence: 'The mail host says that this mailbox takes no mail: it does not exist, or is disabled or full.',
    advice: DO_NOT_SEND,
  },
  disposable_provider: {
    sentence: 'The address is of a throw-away provider, so its mailbox was not asked.',
    advice: 'Do not rely on it: it may be gone tomorrow.',
  },
  role_address: {
    sentence: 'The address is a shared mailbox, such as info@ or sales@, so its mailbox was not asked.',
    advice: 'Write to it only if you have business with the company, and not in bulk.',
  },
  catch_all_domain: {
    sentence:
      'The domain accepts mail for every name, even for one that was made up, so nobody can tell whether this mailbox exists.',
    advice: 'Send a few and watch for returned mail.',
  },
  accept_all_provider: {
    sentence: 'The mail provider accepts every recipient at first, so an acceptance proves nothing.',
    advice: 'Send a few and watch for returned mail.',
  },
  greylisted: { sentence: 'The mail host asked us to come back later.', advice: 'Verify it again in 15 minutes.' },
  smtp_timeout: { sentence: 'The mail host was reached, but did not reply in time.', advice: ASK_AGAIN },
  smtp_unreachable: {
    sentence: 'The mail host could not be reached, or refused us rather than the mailbox.',
    advice: ASK_AGAIN,
  },
  verification_pending: {
    sentence: 'The mail host is being asked in the background.',
    advice: 'Verify it again in a minute to see the outcome.',
  },
  blocked_domain: { sentence: 'The domain is on the blocklist.', advice: DO_NOT_SEND },
  spam_trap: {
    sentence: 'The mail host is a known spam trap, so it was not asked.',
    advice: `${DO_NOT_SEND} A single mail may ruin your reputation.`,
  },
};

/** For a result without a reason: the mail host was not asked. */
const NOT_ASKED: Explanation = {
  sentence: 'The address is well formed and its domain takes mail. The mail host was not asked.',
  advice: 'Verify it in standard mode to learn whether the mailbox exists.',
};

/** What the mail host said, for enhanced calls. The documentation shows the same. */
export const DIAGNOSIS_EXPLANATIONS: Readonly<Record<SmtpDiagnosis, string>> = {
  accepted: 'It accepted the recipient.',
  mailbox_full: 'It said that the mailbox is full.',
  mailbox_disabled: 'It said that the mailbox is disabled.',
  mailbox_not_found: 'It said that there is no such mailbox.',
  greylist_deferred: 'It deferred the first try, as it does with every stranger.',
  policy_block: 'It refused us by its policy, which says nothing about the mailbox.',
};

/** Explains a result in words. */
export function explainResult({
  reason,
  smtp_diagnosis: diagnosis,
}: {
  readonly reason: Reason | null;
  readonly smtp_diagnosis: SmtpDiagnosis | null;
}): Explanation {
  const { sentence, advice } = reason === null ? NOT_ASKED : REASON_EXPLANATIONS[reason];
  return { sentence: diagnosis === null ? sentence : `${sentence} ${DIAGNOSIS_EXPLANATIONS[diagnosis]}`, advice };
}
