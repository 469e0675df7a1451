import type { Answer } from '../answer.js';
import { demandsStartTls } from '../demands-starttls.js';
import type { DialogueReport, Manner } from '../dialogue.js';
import { mannerOfRetry } from '../retry-manner.js';

/** The answers to a batch. */
export interface RcptBatchReport extends DialogueReport {
  readonly manner: Manner;
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
 * - `heard`: judge its answer.
 * - `again`: the session got out of step or ended here: ask again on a fresh connection, in `manner`; judge this answer
 *   if the retry was used before.
 * - `moved`: the transaction was full: ask in the session's next one.
 * - `unreached`: the session ended earlier: it was not asked about, and its retry is unused.
 */
export type RecipientStep =
  | { readonly kind: 'heard' | 'moved' | 'unreached' }
  | { readonly kind: 'again'; readonly manner: Manner };

const HEARD: RecipientStep = { kind: 'heard' };
const MOVED: RecipientStep = { kind: 'moved' };
const UNREACHED: RecipientStep = { kind: 'unreached' };

/** True when the session ended before RCPT. */
export function isBeforeRecipients(report: Pick<DialogueReport, 'answers'>): boolean {
  return report.answers[0]?.stage !== 'rcpt';
}

/** Index of the answer that ended the session; null when it goes on. */
export function endOf(answers: readonly Answer[]): number | null {
  const end = answers.findIndex((answer) => answer.kind !== 'reply' || answer.reply.code === 421);
  return end === -1 ? null : end;
}

/** @param usedUp whether the reply at an index says that the session is full or over; called only where that matters */
export function recipientSteps(report: RcptBatchReport, usedUp: (index: number) => boolean): readonly RecipientStep[] {
  const { answers, before } = report;
  if (isBeforeRecipients(report)) {
    // The session has answered about others: it is used up, and says nothing about these recipients.
    if (before.answered > 0) return answers.map(() => UNREACHED);
    const manner = mannerOfRetry(report.manner, report);
    return answers.map(() => (manner === null ? HEARD : { kind: 'again', manner }));
  }
  const end = endOf(answers);
  // Nobody knows which reply answers which command.
  if (end !== null && answers[end]?.kind === 'garbage' && report.pipelined)
    return answers.map(() => unpipelined(report));
  const fates = fatesOfReplies(report, end ?? answers.length, usedUp);
  if (end === null) return fates;
  // A host that demands another manner and hangs up demands it for the later recipients too.
  const wanted = fates.find((fate) => fate.kind === 'again' && fate.manner !== report.manner);
  const atEnd = wanted ?? fateAtEnd(report, end, usedUp);
  // The extra reply may be the answer to the command before.
  if (answers[end]?.kind === 'garbage' && end > 0) fates[end - 1] = atEnd;
  return [...fates, atEnd, ...answers.slice(end + 1).map(() => UNREACHED)];
}

function unpipelined({ manner }: RcptBatchReport): RecipientStep {
  return { kind: 'again', manner: { ...manner, pipelining: false } };
}

function fatesOfReplies(report: RcptBatchReport, count: number, usedUp: (index: number) => boolean): RecipientStep[] {
  const { answers, before, manner } = report;
  let served = 0;
  return answers.slice(0, count).map((answer, index) => {
    const other = mannerForReply(report, answer);
    if (other !== null) return { kind: 'again', manner: other };
    if (!isRefused(answer) || !usedUp(index)) {
      served += 1;
      return HEARD;
    }
    if (before.servedInTransaction + served > 0) return MOVED;
    // A session that is full at its first recipient was filled by nobody: judge this reply as the host's answer.
    return before.served > 0 ? { kind: 'again', manner } : HEARD;
  });
}

/** The manner of a retry, when the reply shows that the host wants another one; else null. */
function mannerForReply(report: RcptBatchReport, answer: Answer): Manner | null {
  const manner = mannerOfRetry(report.manner, { ...report, answers: [answer] });
  if (manner !== null) return manner;
  const demanded = report.tlsToBeHad && answer.kind === 'reply' && demandsStartTls(answer.reply);
  return demanded ? { ...report.manner, startTls: true } : null;
}

function fateAtEnd(report: RcptBatchReport, end: number, usedUp: (index: number) => boolean): RecipientStep {
  const { answers, before, manner } = report;
  const answer = answers[end];
  if (answer === undefined || answer.kind === 'timeout') return HEARD;
  if (before.answered + end === 0) {
    const other = mannerOfRetry(manner, { ...report, answers: [answer] });
    return other === null ? HEARD : { kind: 'again', manner: other };
  }
  // After other answers, the session may have ended for reasons other than this recipient.
  return answer.kind === 'reply' && !usedUp(end) ? HEARD : { kind: 'again', manner };
}

function isRefused(answer: Answer): boolean {
  return answer.kind === 'reply' && answer.reply.code >= 400;
}
