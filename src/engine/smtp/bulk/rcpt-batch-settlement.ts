import type { Answer } from '../answer.js';
import { judgeRecipient, silent, withoutSmtpUtf8Facts, type Classify, type JudgedAnswer } from '../judge-recipient.js';
import type { BulkSession } from './bulk-session.js';
import type { Candidate } from './candidate.js';
import { recipientSteps, isBeforeRecipients, type RecipientStep, type RcptBatchReport } from './recipient-steps.js';
import { isSideProbe, type BatchRecipient, type RcptBatch, type HostQueue } from './host-queue.js';
import { outcomeOf } from '../sessions-outcome.js';
import type { SessionsPermit } from '../sessions-permit.js';
import type { AnswerCount } from './first-batches.js';
import { RandomProbe } from './random-probe.js';
import type { RecipientScheduler } from './recipient-scheduler.js';
import { countsRecipients, endOf, speaksOfErrors, speaksOfSession } from './session-used-up.js';

/**
 * Consecutive sessions without an answer about any recipient, after which a host that accepted connections is given up.
 */
const MAX_FRUITLESS_SESSIONS = 5;
/** Consecutive sessions that could not be opened, after which a host that answered before is given up. */
const MAX_FAILED_SESSIONS = 3;

/** A batch that was asked about. */
export interface AnsweredBatch {
  readonly queue: HostQueue;
  readonly session: BulkSession;
  readonly batch: RcptBatch;
  readonly report: RcptBatchReport;
  readonly permit: SessionsPermit;
}

type UnansweredBatch = Pick<AnsweredBatch, 'queue' | 'batch' | 'permit'>;

interface SettledBatch extends AnsweredBatch {
  readonly steps: readonly RecipientStep[];
  readonly usedUp: (index: number) => boolean;
  /** Index of the answer that ended the session; null when it goes on. */
  readonly end: number | null;
}

/** Evaluates the answers to a batch: for each recipient, its session and its host. */
export class RcptBatchSettlement {
  constructor(
    private readonly scheduler: RecipientScheduler,
    private readonly classify: Classify,
  ) {}

  settle(answered: AnsweredBatch): void {
    const { queue, session, batch, report, permit } = answered;
    if (report.smtpUtf8Missing) {
      const [randoms, candidates] = partition(batch.recipients, isSideProbe);
      this.scheduler.requeue(queue, randoms);
      const judged = withoutSmtpUtf8Facts(report);
      this.scheduler.considerAll(queue, candidates, judged, permit);
      this.scheduler.failUtf8(queue, judged);
      // The right way to begin a transaction at this host is still unknown.
      if (session.count.transactions === 0) session.over = true;
      return;
    }
    const usedUp = this.usedUpOf(answered);
    const settled = { ...answered, usedUp, steps: recipientSteps(report, usedUp), end: endOf(report.answers) };
    const slowAfter = session.account(report, usedUp);
    if (session.secured) queue.traits.sessionOptions = { ...queue.traits.sessionOptions, startTls: true };
    if (isBeforeRecipients(report)) {
      session.over = true;
      if (report.before.answered > 0) this.sessionFull(settled);
      else this.failedBeforeRcpt(settled);
    } else {
      this.updateTraits(settled, slowAfter);
      this.settleRecipients(settled);
      this.judgeHost(settled);
    }
    this.scheduler.randoms.askAgain(queue, batch.domain);
  }

  /** Settles a batch whose host could not be connected to. */
  notConnected(queue: HostQueue, batch: RcptBatch, permit: SessionsPermit): void {
    const judged = silent('connect', 'no_connection');
    this.failed({ queue, batch, permit }, judged, () =>
      this.scheduler.considerAll(queue, batch.recipients, judged, permit),
    );
    this.scheduler.randoms.askAgain(queue, batch.domain);
  }

  /** Settles a batch that a used session answered with no room for a transaction, or with its end. */
  private sessionFull({ queue, session, batch, report: { answers } }: SettledBatch): void {
    if (answers[0]?.kind === 'reply') queue.traits.limitTransactions(session.count.transactions);
    else queue.traits.hungUp(session.count, { lastWasError: session.lastWasError, saysErrors: false });
    this.scheduler.requeue(queue, batch.recipients);
  }

  /** Settles the first batch of a session that failed before RCPT. */
  private failedBeforeRcpt(settled: SettledBatch): void {
    const { queue, batch, report, session, permit, steps } = settled;
    const [answer] = report.answers;
    const [step] = steps;
    if (answer === undefined || step === undefined) return;
    const judged = this.judge(settled, 0, answer);
    const received = { answer, context: session.context };
    if (step.kind !== 'retry' || this.othersAreServed(queue)) {
      return this.failed(settled, judged, () => {
        for (const one of batch.recipients) {
          if (isSideProbe(one)) this.scheduler.considerAll(queue, [one], judged, permit);
          else this.scheduler.onAnswer(queue, one, received, permit);
        }
      });
    }
    queue.traits.sessionOptions = step.sessionOptions;
    const back: BatchRecipient[] = [];
    let retriesUsed = !batch.recipients.some((one) => isSideProbe(one) || one.retryLeft);
    for (const one of batch.recipients) {
      if (isSideProbe(one)) {
        if (batch.recipients.length > 1) back.push(one);
        else this.scheduler.onSideProbeAnswer(queue, one, received, permit);
      } else if (one.retryLeft) {
        one.retry(received);
        back.push(one);
      } else {
        retriesUsed ||= one.earlierAnswer !== null;
        this.scheduler.onAnswer(queue, one, received, permit);
      }
    }
    this.scheduler.requeue(queue, back);
    if (retriesUsed && !this.scheduler.over) this.scheduler.failHost(queue, judged);
  }

  /**
   * Settles a session that could not be opened. While another connection to the host works, this one is too many. A
   * host that answered before and is now silent may recover in a moment; one that turns us away now has had enough of us for
   * a while. Otherwise the failure is the answer for every recipient, or for every one that needs SMTPUTF8.
   */
  private failed({ queue, batch, permit }: UnansweredBatch, judged: JudgedAnswer, consider: () => void): void {
    const { recipients, utf8 } = batch;
    const isUtf8Failure = utf8 && judged.stage === 'mail';
    if (this.othersAreServed(queue)) {
      queue.maxConnections = Math.max(1, queue.connections - 1);
      return this.scheduler.requeue(queue, recipients);
    }
    if (queue.served && judged.ending !== 'reply' && !this.scheduler.over) {
      queue.fruitlessSessions += 1;
      if (queue.fruitlessSessions < MAX_FAILED_SESSIONS) return this.scheduler.requeue(queue, recipients);
    }
    if (queue.served && !isUtf8Failure && turnsAway(judged) && !this.scheduler.over) {
      permit.note(outcomeOf(judged));
      const leftAlone = silent('none', 'backed_off');
      this.scheduler.considerAll(queue, recipients, leftAlone);
      return this.scheduler.failHost(queue, leftAlone);
    }
    consider();
    // Our own time is over: the host could not answer the other sessions.
    if (this.scheduler.over) return;
    if (isUtf8Failure) this.scheduler.failUtf8(queue, judged);
    else this.scheduler.failHost(queue, judged);
  }

  private othersAreServed(queue: HostQueue): boolean {
    return queue.served && queue.connections > 1;
  }

  private updateTraits(settled: SettledBatch, slowAfter: number | null): void {
    const {
      queue: { traits },
      session,
      report,
      steps,
      usedUp,
      end,
    } = settled;
    const { answers, before } = report;
    const last = end === null ? undefined : answers[end];
    const hungUp = last === undefined ? session.peerClosed : last.kind === 'closed' || last.kind === 'reply';
    if (hungUp && session.count.answered > 0) {
      const saysErrors = last?.kind === 'reply' && speaksOfErrors(last.reply);
      traits.hungUp(session.count, { lastWasError: session.lastWasError, saysErrors });
    }
    if (slowAfter !== null) traits.slowedDown(slowAfter);
    if (before.answered === 0) traits.list.note(countOf(settled), hungUp || slowAfter !== null);
    if (end === null && slowAfter === null) traits.answeredInTime(session.count.errors);
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'next_transaction') traits.limitPerTransaction(session.servedInOpenTransaction);
      if (step.kind !== 'retry') continue;
      const full = index !== end && answers[index]?.kind === 'reply' && before.served > 0 && usedUp(index);
      if (full) traits.limitPerSession(session.servedCount);
      if (step.sessionOptions !== report.sessionOptions) traits.sessionOptions = step.sessionOptions;
    }
    if (end !== null || session.peerClosed || steps.some(({ kind }) => kind === 'retry')) session.over = true;
    if (steps.some(({ kind }) => kind === 'next_transaction')) session.endTransaction();
  }

  private settleRecipients(settled: SettledBatch): void {
    const { queue, batch, steps } = settled;
    // Settle side probes first: recipients of the same batch need their results.
    for (const [index, one] of batch.recipients.entries()) {
      const answer = settled.report.answers[index];
      if (!isSideProbe(one) || answer === undefined) continue;
      const again = steps[index]?.kind === 'retry' && one instanceof RandomProbe && one.missed();
      if (!again)
        this.scheduler.onSideProbeAnswer(queue, one, { answer, context: settled.session.context }, settled.permit);
    }
    const back: BatchRecipient[] = [];
    for (const [index, one] of batch.recipients.entries()) {
      const [answer, step] = [settled.report.answers[index], steps[index]];
      if (isSideProbe(one) || answer === undefined || step === undefined) continue;
      if (this.isToBeAskedAgain(settled, one, index, step)) back.push(one);
    }
    this.scheduler.requeue(queue, back);
  }

  /** True: ask again ahead of the others. False: judged, or queued for a session that begins with it. */
  private isToBeAskedAgain(
    { queue, session, report, permit, end }: SettledBatch,
    candidate: Candidate,
    index: number,
    step: RecipientStep,
  ): boolean {
    if (step.kind === 'not_reached' || (index === 0 && refusesForOthers(report))) return true;
    if (step.kind === 'next_transaction' && !candidate.wasMovedToNextTransaction) {
      candidate.wasMovedToNextTransaction = true;
      return true;
    }
    const answer = report.answers[index];
    if (answer === undefined) return false;
    const received = { answer, context: session.context };
    if (step.kind === 'judge' || !candidate.retryLeft) {
      this.scheduler.onAnswer(queue, candidate, received, permit);
      return false;
    }
    candidate.retry(received);
    // A retry needs a fresh connection.
    session.over = true;
    const endedAtIt = index === end && answer.kind !== 'garbage';
    if (endedAtIt) this.scheduler.suspect(queue, candidate);
    return !endedAtIt;
  }

  /** Draws conclusions about the host itself. */
  private judgeHost(settled: SettledBatch): void {
    const { queue, session, report, steps, usedUp, end } = settled;
    const last = end === null ? undefined : report.answers[end];
    if (session.count.answered > 0) {
      queue.served = true;
      queue.fruitlessSessions = 0;
    }
    if (end === null || last === undefined || report.before.answered + end > 0) return;
    if (last.kind === 'reply' && refusesForOthers(report)) {
      const { retryAfterSeconds } = this.judge(settled, end, last);
      settled.permit.note({ kind: 'session_refused', retryAfterSeconds });
      return this.scheduler.backOff(queue.group, settled.batch.domain);
    }
    // A host that closes the channel at the first recipient closes it for all of them.
    const refused = last.kind === 'reply' && steps[end]?.kind === 'judge' && usedUp(end);
    if (last.kind !== 'reply') queue.fruitlessSessions += 1;
    if (!refused && queue.fruitlessSessions < MAX_FRUITLESS_SESSIONS) return;
    if (this.othersAreServed(queue)) queue.maxConnections = Math.max(1, queue.connections - 1);
    else if (!this.scheduler.over) this.scheduler.failHost(queue, this.judge(settled, end, last));
  }

  private judge({ batch, session }: SettledBatch, index: number, answer: Answer): JudgedAnswer {
    const path = batch.recipients[index]?.path ?? '';
    return judgeRecipient(answer, { random: 'not_asked' }, path, session.context, this.classify);
  }

  private usedUpOf({ batch, session, report }: AnsweredBatch): (index: number) => boolean {
    const known = new Map<number, boolean>();
    return (index) => {
      const answer = report.answers[index];
      if (answer?.kind !== 'reply') return false;
      const context = { ...session.context, stage: answer.stage, recipient: batch.recipients[index]?.path ?? null };
      const usedUp = known.get(index) ?? speaksOfSession(answer.reply, this.classify(answer.reply, context));
      known.set(index, usedUp);
      return usedUp;
    };
  }
}

/** Whether a fresh session is refused for unknown recipients of those before it: the rest is asked about when the pause has ended. */
function refusesForOthers({ answers: [first], before }: RcptBatchReport): boolean {
  return before.answered === 0 && first?.kind === 'reply' && countsRecipients(first.reply);
}

/** Whether it refused us at the door, or for now; not for how we came, such as without TLS. */
function turnsAway(judged: JudgedAnswer): boolean {
  const isAtTheDoor = judged.stage !== 'mail' && outcomeOf(judged).kind === 'session_refused';
  return judged.ending === 'reply' && (!judged.permanent || isAtTheDoor);
}

/** Counts the answers about recipients of the list. */
function countOf({ batch, report: { answers }, end }: SettledBatch): AnswerCount {
  const replies = answers.slice(0, end ?? undefined).flatMap((answer, index) => {
    const one = batch.recipients[index];
    return answer.kind === 'reply' && one !== undefined && !isSideProbe(one) ? [answer.reply] : [];
  });
  return { answered: replies.length, errors: replies.filter(({ code }) => code >= 400).length };
}

function partition<T, First extends T>(
  all: readonly T[],
  isFirst: (one: T) => one is First,
): [readonly First[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
