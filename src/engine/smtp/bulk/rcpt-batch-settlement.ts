import type { Answer } from '../answer.js';
import { judgeRecipient, silent, withoutSmtpUtf8Facts, type Classify, type JudgedAnswer } from '../judge-recipient.js';
import type { BulkSession } from './bulk-session.js';
import type { Candidate } from './candidate.js';
import {
  endOf,
  recipientSteps,
  isBeforeRecipients,
  type RecipientStep,
  type RcptBatchReport,
} from './recipient-steps.js';
import { isSideProbe, type Asked, type RcptBatch, type HostQueue } from './host-queue.js';
import type { ConnectionPermit } from './connection-permit.js';
import { RandomProbe } from './random-probe.js';
import type { RecipientScheduler } from './recipient-scheduler.js';
import { speaksOfSession } from './session-used-up.js';

/**
 * Consecutive sessions without an answer about any recipient, after which a host that accepted connections is given up.
 */
const MOST_BARREN = 5;
/** Consecutive sessions that could not be opened, after which a host that answered before is given up. */
const MOST_FAILED = 3;

/** A batch that was asked about. */
export interface Arrival {
  readonly desk: HostQueue;
  readonly session: BulkSession;
  readonly flight: RcptBatch;
  readonly report: RcptBatchReport;
  readonly leave: ConnectionPermit;
}

interface Settled extends Arrival {
  readonly fates: readonly RecipientStep[];
  readonly usedUp: (index: number) => boolean;
}

/** Evaluates the answers to a batch: for each recipient, its session and its host. */
export class RcptBatchSettlement {
  constructor(
    private readonly searches: RecipientScheduler,
    private readonly classify: Classify,
  ) {}

  settle(arrival: Arrival): void {
    const { desk, session, flight, report, leave } = arrival;
    if (report.smtpUtf8Missing) {
      const [randoms, candidates] = partition(flight.asked, isSideProbe);
      this.searches.putBack(desk, randoms);
      const judged = withoutSmtpUtf8Facts(report);
      this.searches.considerAll(desk, candidates, judged, leave);
      this.searches.failUtf8(desk, judged);
      // The right way to begin a transaction at this host is still unknown.
      if (session.count.transactions === 0) session.over = true;
      return;
    }
    const usedUp = this.usedUpOf(arrival);
    const settled = { ...arrival, usedUp, fates: recipientSteps(report, usedUp) };
    const slowAfter = session.account(report, usedUp);
    if (session.secured) desk.traits.manner = { ...desk.traits.manner, startTls: true };
    if (isBeforeRecipients(report)) {
      session.over = true;
      if (report.before.answered > 0) this.sessionFull(settled);
      else this.notGotToRecipients(settled);
    } else {
      this.learn(settled, slowAfter);
      this.conclude(settled);
      this.judgeHost(settled);
    }
    this.askRandomAgain(desk, flight);
  }

  /** Settles a batch whose host could not be connected to. */
  notConnected(desk: HostQueue, flight: RcptBatch, leave: ConnectionPermit): void {
    const judged = silent('connect', 'no_connection');
    this.failed(desk, flight, judged, () => this.searches.considerAll(desk, flight.asked, judged, leave));
    this.askRandomAgain(desk, flight);
  }

  /** Settles a batch that a used session answered with no room for a transaction, or with its end. */
  private sessionFull({ desk, session, flight, report: { answers } }: Settled): void {
    if (answers[0]?.kind === 'reply') desk.traits.tookTransactions(session.count.transactions);
    else desk.traits.hungUp(session.count, { lastWasError: session.lastWasError, saysErrors: false });
    this.searches.putBack(desk, flight.asked);
  }

  /** Settles the first batch of a session that failed before RCPT. */
  private notGotToRecipients(settled: Settled): void {
    const { desk, flight, report, session, leave, fates } = settled;
    const [answer] = report.answers;
    const [fate] = fates;
    if (answer === undefined || fate === undefined) return;
    const judged = this.judge(settled, 0, answer);
    const heard = { answer, context: session.context };
    if (fate.kind !== 'again' || this.othersAreServed(desk)) {
      return this.failed(desk, flight, judged, () => {
        for (const one of flight.asked) {
          if (isSideProbe(one)) this.searches.considerAll(desk, [one], judged, leave);
          else this.searches.heard(desk, one, heard, leave);
        }
      });
    }
    desk.traits.manner = fate.manner;
    const back: Asked[] = [];
    let inVain = !flight.asked.some((one) => isSideProbe(one) || one.retryLeft);
    for (const one of flight.asked) {
      if (isSideProbe(one)) {
        if (flight.asked.length > 1) back.push(one);
        else this.searches.heardSideProbe(desk, one, heard, leave);
      } else if (one.retryLeft) {
        one.retry(heard);
        back.push(one);
      } else {
        inVain ||= one.heardBefore !== null;
        this.searches.heard(desk, one, heard, leave);
      }
    }
    this.searches.putBack(desk, back);
    if (inVain && !this.searches.over) this.searches.failHost(desk, judged);
  }

  /**
   * Settles a session that could not be opened. While another connection to the host works, this one is too many. A
   * host that answered before and is now silent may recover in a moment. Otherwise the failure is the answer for every
   * recipient, or for every one that needs SMTPUTF8.
   */
  private failed(desk: HostQueue, { asked, utf8 }: RcptBatch, judged: JudgedAnswer, consider: () => void): void {
    if (this.othersAreServed(desk)) {
      desk.maxConnections = Math.max(1, desk.connections - 1);
      return this.searches.putBack(desk, asked);
    }
    if (desk.served && judged.ending !== 'reply' && !this.searches.over) {
      desk.fruitlessSessions += 1;
      if (desk.fruitlessSessions < MOST_FAILED) return this.searches.putBack(desk, asked);
    }
    consider();
    // Our own time is over: the host could not answer the other sessions.
    if (this.searches.over) return;
    if (utf8 && judged.stage === 'mail') this.searches.failUtf8(desk, judged);
    else this.searches.failHost(desk, judged);
  }

  private othersAreServed(desk: HostQueue): boolean {
    return desk.served && desk.connections > 1;
  }

  private learn({ desk: { traits }, session, report, fates, usedUp }: Settled, slowAfter: number | null): void {
    const { answers, before } = report;
    const end = endOf(answers);
    const last = end === null ? undefined : answers[end];
    const hungUp = last === undefined ? session.peerClosed : last.kind === 'closed' || last.kind === 'reply';
    if (hungUp && session.count.answered > 0) {
      traits.hungUp(session.count, { lastWasError: session.lastWasError, saysErrors: saysErrors(last) });
    }
    if (slowAfter !== null) traits.slowedDown(slowAfter);
    if (end === null && slowAfter === null) traits.bore(session.count.errors);
    for (const [index, fate] of fates.entries()) {
      if (fate.kind === 'moved') traits.tookInTransaction(session.servedInOpenTransaction);
      if (fate.kind !== 'again') continue;
      const full = index !== end && answers[index]?.kind === 'reply' && before.served > 0 && usedUp(index);
      if (full) traits.tookInSession(session.servedCount);
      if (fate.manner !== report.manner) traits.manner = fate.manner;
    }
    if (end !== null || session.peerClosed || fates.some(({ kind }) => kind === 'again')) session.over = true;
    if (fates.some(({ kind }) => kind === 'moved')) session.endTransaction();
  }

  private conclude(settled: Settled): void {
    const { desk, flight, fates } = settled;
    // Settle side probes first: recipients of the same batch need their results.
    for (const [index, one] of flight.asked.entries()) {
      const answer = settled.report.answers[index];
      if (!isSideProbe(one) || answer === undefined) continue;
      const again = fates[index]?.kind === 'again' && one instanceof RandomProbe && one.missed();
      if (!again) this.searches.heardSideProbe(desk, one, { answer, context: settled.session.context }, settled.leave);
    }
    const back: Asked[] = [];
    for (const [index, one] of flight.asked.entries()) {
      const [answer, fate] = [settled.report.answers[index], fates[index]];
      if (isSideProbe(one) || answer === undefined || fate === undefined) continue;
      if (this.isToBeAskedAgain(settled, one, index, fate)) back.push(one);
    }
    this.searches.putBack(desk, back);
  }

  /** True: ask again ahead of the others. False: judged, or queued for a session that begins with it. */
  private isToBeAskedAgain(
    { desk, session, report, leave }: Settled,
    candidate: Candidate,
    index: number,
    fate: RecipientStep,
  ): boolean {
    if (fate.kind === 'unreached') return true;
    if (fate.kind === 'moved' && !candidate.movedOn) {
      candidate.movedOn = true;
      return true;
    }
    const answer = report.answers[index];
    if (answer === undefined) return false;
    const heard = { answer, context: session.context };
    if (fate.kind === 'heard' || !candidate.retryLeft) {
      this.searches.heard(desk, candidate, heard, leave);
      return false;
    }
    candidate.retry(heard);
    // A retry needs a fresh connection.
    session.over = true;
    const endedAtIt = index === endOf(report.answers) && answer.kind !== 'garbage';
    if (endedAtIt) this.searches.suspect(desk, candidate);
    return !endedAtIt;
  }

  private askRandomAgain(desk: HostQueue, { domain }: RcptBatch): void {
    const random = this.searches.randoms.at(desk, domain);
    if (random !== null) this.searches.askAgainWhereWanted(desk, random);
  }

  /** Draws conclusions about the host itself. */
  private judgeHost(settled: Settled): void {
    const { desk, session, report, fates, usedUp } = settled;
    const end = endOf(report.answers);
    const last = end === null ? undefined : report.answers[end];
    if (session.count.answered > 0) {
      desk.served = true;
      desk.fruitlessSessions = 0;
    }
    if (end === null || last === undefined || report.before.answered + end > 0) return;
    // A host that closes the channel at the first recipient closes it for all of them.
    const refused = last.kind === 'reply' && fates[end]?.kind === 'heard' && usedUp(end);
    if (last.kind !== 'reply') desk.fruitlessSessions += 1;
    if (!refused && desk.fruitlessSessions < MOST_BARREN) return;
    if (this.othersAreServed(desk)) desk.maxConnections = Math.max(1, desk.connections - 1);
    else if (!this.searches.over) this.searches.failHost(desk, this.judge(settled, end, last));
  }

  private judge({ flight, session }: Settled, index: number, answer: Answer): JudgedAnswer {
    const path = flight.asked[index]?.path ?? '';
    return judgeRecipient(answer, { random: 'not_asked' }, path, session.context, this.classify);
  }

  private usedUpOf({ flight, session, report }: Arrival): (index: number) => boolean {
    const known = new Map<number, boolean>();
    return (index) => {
      const answer = report.answers[index];
      if (answer?.kind !== 'reply') return false;
      const context = { ...session.context, stage: answer.stage, recipient: flight.asked[index]?.path ?? null };
      const usedUp = known.get(index) ?? speaksOfSession(answer.reply, this.classify(answer.reply, context));
      known.set(index, usedUp);
      return usedUp;
    };
  }
}

function saysErrors(answer: Answer | undefined): boolean {
  return answer?.kind === 'reply' && /\btoo many (?:\w+ ){0,2}errors\b/i.test(answer.reply.lines.join(' '));
}

function partition<T, First extends T>(
  all: readonly T[],
  isFirst: (one: T) => one is First,
): [readonly First[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
