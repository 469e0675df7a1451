import type { Answer } from '../answer.js';
import type { DialogueReport, SessionOptions } from '../dialogue.js';
import { retryOptions } from '../retry-options.js';
import { endOf } from './session-used-up.js';

/** The answers to a batch. */
export interface RcptBatchReport extends DialogueReport {
  readonly sessionOptions: SessionOptions;
  /** STARTTLS is offered and unused: a fresh connection can meet a demand for it. */
  readonly tlsToBeHad: boolean;
  /** Counts before this batch. */
  readonly before: {
    /** Recipients answered in this session, whatever the answer. */
    readonly answered: number;
    /** Recipients that the session was not full for: in the session, and in this transaction. */
    readonly served: number;
    readonly servedInTransaction: number;
  };
}

/**
 * The next step of one recipient of a batch:
 * - `judge`: judge its answer.
 * - `retry`: the session got out of step or ended here: ask again on a fresh connection, with `sessionOptions`; judge this answer
 *   if the retry was used before.
 * - `next_transaction`: the transaction was full: ask in the session's next one.
 * - `not_reached`: the session ended earlier: it was not asked about, and its retry is unused.
 */
export type RecipientStep =
  | { readonly kind: 'judge' | 'next_transaction' | 'not_reached' }
  | { readonly kind: 'retry'; readonly sessionOptions: SessionOptions };

const JUDGE: RecipientStep = { kind: 'judge' };
const NEXT_TRANSACTION: RecipientStep = { kind: 'next_transaction' };
const NOT_REACHED: RecipientStep = { kind: 'not_reached' };

/** True when the session ended before RCPT. */
export function isBeforeRecipients(report: Pick<DialogueReport, 'answers'>): boolean {
  return report.answers[0]?.stage !== 'rcpt';
}

/** @param usedUp whether the reply at an index says that the session is full or over; called only where that matters */
export function recipientSteps(report: RcptBatchReport, usedUp: (index: number) => boolean): readonly RecipientStep[] {
  const { answers, before } = report;
  if (isBeforeRecipients(report)) {
    // The session has answered about others: it is used up, and says nothing about these recipients.
    if (before.answered > 0) return answers.map(() => NOT_REACHED);
    const sessionOptions = retryOptions(report.sessionOptions, report);
    return answers.map(() => (sessionOptions === null ? JUDGE : { kind: 'retry', sessionOptions }));
  }
  const end = endOf(answers);
  // Nobody knows which reply answers which command.
  if (end !== null && answers[end]?.kind === 'garbage' && report.pipelined)
    return answers.map(() => unpipelined(report));
  const steps = stepsOfReplies(report, end ?? answers.length, usedUp);
  if (end === null) return steps;
  // A host that demands other session options and hangs up demands them for the later recipients too.
  const wanted = steps.find((step) => step.kind === 'retry' && step.sessionOptions !== report.sessionOptions);
  const atEnd = wanted ?? stepAtEnd(report, end, usedUp);
  // The extra reply may be the answer to the command before.
  if (answers[end]?.kind === 'garbage' && end > 0) steps[end - 1] = atEnd;
  return [...steps, atEnd, ...answers.slice(end + 1).map(() => NOT_REACHED)];
}

function unpipelined({ sessionOptions }: RcptBatchReport): RecipientStep {
  return { kind: 'retry', sessionOptions: { ...sessionOptions, pipelining: false } };
}

function stepsOfReplies(report: RcptBatchReport, count: number, usedUp: (index: number) => boolean): RecipientStep[] {
  const { answers, before, sessionOptions } = report;
  let served = 0;
  return answers.slice(0, count).map((answer, index) => {
    const other = optionsForReply(report, answer);
    if (other !== null) return { kind: 'retry', sessionOptions: other };
    if (!isRefused(answer) || !usedUp(index)) {
      served += 1;
      return JUDGE;
    }
    if (before.servedInTransaction + served > 0) return NEXT_TRANSACTION;
    // A session that is full at its first recipient was filled by nobody: judge this reply as the host's answer.
    return before.served > 0 ? { kind: 'retry', sessionOptions } : JUDGE;
  });
}

/** The session options of a retry, when the reply shows that the host wants other ones; else null. */
function optionsForReply(report: RcptBatchReport, answer: Answer): SessionOptions | null {
  if (!isRefused(answer) && !report.closedOnTlsDemand) return null;
  return retryOptions(report.sessionOptions, { ...report, answers: [answer] });
}

function stepAtEnd(report: RcptBatchReport, end: number, usedUp: (index: number) => boolean): RecipientStep {
  const { answers, before, sessionOptions } = report;
  const answer = answers[end];
  if (answer === undefined || answer.kind === 'timeout') return JUDGE;
  if (before.answered + end === 0) {
    const other = retryOptions(sessionOptions, { ...report, answers: [answer] });
    return other === null ? JUDGE : { kind: 'retry', sessionOptions: other };
  }
  // After other answers, the session may have ended for reasons other than this recipient.
  return answer.kind === 'reply' && !usedUp(end) ? JUDGE : { kind: 'retry', sessionOptions };
}

function isRefused(answer: Answer): boolean {
  return answer.kind === 'reply' && answer.reply.code >= 400;
}
