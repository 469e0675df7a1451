import type { Answer } from '../answer.js';
import { demandsStartTls } from '../demands-starttls.js';
import type { DialogueReport, Manner } from '../dialogue.js';
import { mannerOfRetry } from '../retry-manner.js';

/** What a flight, recipients asked about in one go, came to. */
export interface RcptBatchReport extends DialogueReport {
  readonly manner: Manner;
  /** STARTTLS is offered and has not been used: a demand for it can be met on a fresh connection. */
  readonly tlsToBeHad: boolean;
  /** Recipients before this flight. */
  readonly before: {
    /** Answered in this session, whatever the answer. */
    readonly answered: number;
    /** Those of them that the session was not full for, and those of these in this transaction. */
    readonly served: number;
    readonly servedInTransaction: number;
  };
}

/**
 * What becomes of one recipient of a flight:
 * - `heard`: its answer is to be judged.
 * - `again`: the session got out of step with it, or ended at it: to be asked once more on a fresh connection, held in
 *   `manner`; judged by its answer where its retry is used.
 * - `moved`: the transaction was full: to be asked in the next one of this session.
 * - `unreached`: the session ended before its turn: it was not asked, and has used up nothing.
 */
export type RecipientStep =
  | { readonly kind: 'heard' | 'moved' | 'unreached' }
  | { readonly kind: 'again'; readonly manner: Manner };

const HEARD: RecipientStep = { kind: 'heard' };
const MOVED: RecipientStep = { kind: 'moved' };
const UNREACHED: RecipientStep = { kind: 'unreached' };

/** True while the session cannot have been asked about a recipient with this answer. */
export function isBeforeRecipients(report: Pick<DialogueReport, 'answers'>): boolean {
  return report.answers[0]?.stage !== 'rcpt';
}

/** Index of the first answer after which the session was over; null when it goes on. */
export function endOf(answers: readonly Answer[]): number | null {
  const end = answers.findIndex((answer) => answer.kind !== 'reply' || answer.reply.code === 421);
  return end === -1 ? null : end;
}

/** @param usedUp whether the reply at an index speaks of the session being full or over; asked only where that matters */
export function recipientSteps(report: RcptBatchReport, usedUp: (index: number) => boolean): readonly RecipientStep[] {
  const { answers, before } = report;
  if (isBeforeRecipients(report)) {
    // The session had answered about others: it is used up, and nothing was said about these.
    if (before.answered > 0) return answers.map(() => UNREACHED);
    const manner = mannerOfRetry(report.manner, report);
    return answers.map(() => (manner === null ? HEARD : { kind: 'again', manner }));
  }
  const end = endOf(answers);
  // Nobody knows which reply answered what.
  if (end !== null && answers[end]?.kind === 'garbage' && report.pipelined)
    return answers.map(() => unpipelined(report));
  const fates = fatesOfReplies(report, end ?? answers.length, usedUp);
  if (end === null) return fates;
  // A host that has said how it wants to be spoken to, and hung up, wants it for those after it too.
  const wanted = fates.find((fate) => fate.kind === 'again' && fate.manner !== report.manner);
  const atEnd = wanted ?? fateAtEnd(report, end, usedUp);
  // A reply too many may have been the answer to the one before.
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
    // A session that was full from the start is no session that others had filled: this is what the host says to it.
    return before.served > 0 ? { kind: 'again', manner } : HEARD;
  });
}

/** How to ask again about a recipient whose reply shows that the session was not held as the host wants it; else null. */
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
  // After others were answered it may have been the session that ended, not this recipient that ended it.
  return answer.kind === 'reply' && !usedUp(end) ? HEARD : { kind: 'again', manner };
}

function isRefused(answer: Answer): boolean {
  return answer.kind === 'reply' && answer.reply.code >= 400;
}
