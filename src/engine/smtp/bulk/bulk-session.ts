import type { Answer } from '../answer.js';
import { converse, withoutSmtpUtf8, type DialogueReport, type Manner } from '../dialogue.js';
import { demandsStartTls } from '../demands-starttls.js';
import type { SessionContext } from '../judge-recipient.js';
import type { Note } from '../note.js';
import type { SmtpSession } from '../session.js';
import { endOf, isBeforeRecipients, type RcptBatchReport } from './recipient-steps.js';
import { isSameEnvelope, type Envelope, type RcptBatch } from './host-queue.js';
import type { SessionCount } from './host-traits.js';

/** An answer is slow when it took so long, and so many times longer than those before there were errors. */
const SLOW_MS = 700;
const SLOWER_THAN_USUAL = 3;
/** Errors before which answers show what is usual. */
const ERRORS_BEFORE_SLOWNESS = 3;

/** One open session that is asked about one flight after the other. */
export class BulkSession {
  /** It is of no more use. */
  over = false;
  /** It has answered everything so far. */
  responsive = true;
  /** The last reply about a recipient was a refusal or deferral. */
  lastWasError = false;
  private envelope: Envelope | null = null;
  private begun = false;
  private answered = 0;
  private errors = 0;
  private transactions = 0;
  private served = 0;
  private servedInTransaction = 0;
  private takenInTransaction = 0;
  private usualMs = 0;
  private flights = 0;

  constructor(
    private readonly session: SmtpSession,
    readonly context: SessionContext,
    private readonly manner: Manner,
    private readonly note: Note,
  ) {}

  get count(): SessionCount {
    return { answered: this.answered, errors: this.errors, transactions: this.transactions };
  }

  /** Recipients that this session was not full for. */
  get servedCount(): number {
    return this.served;
  }

  get servedInOpenTransaction(): number {
    return this.servedInTransaction;
  }

  /** Of the transaction that takes further recipients; null: the next flight begins a new one. */
  get open(): Envelope | null {
    return this.envelope;
  }

  get taken(): number {
    return this.takenInTransaction;
  }

  get peerClosed(): boolean {
    return this.session.peerClosed;
  }

  /** It speaks TLS. */
  get secured(): boolean {
    return this.session.secured;
  }

  /** The next flight begins a new transaction. */
  endTransaction(): void {
    this.envelope = null;
  }

  /** Asks about a flight. Everything of a pipelined flight is garbage as soon as something in it is. */
  async ask(flight: RcptBatch): Promise<RcptBatchReport> {
    const before = {
      answered: this.answered,
      served: this.served,
      servedInTransaction: this.continues(flight) ? this.servedInTransaction : 0,
    };
    const { manner, session } = this;
    const report = await (this.begun ? this.askFurther(flight) : this.begin(flight));
    const tlsTried = report.answers.some(demandsTls) && before.answered === 0;
    const tlsToBeHad = session.capabilities.startTls && !session.secured && !tlsTried;
    if (tlsTried && !session.secured) this.over = true;
    if (report.answers.some(({ kind }) => kind === 'timeout' || kind === 'garbage')) this.responsive = false;
    return { ...report, answers: allOrNothing(report), manner, tlsToBeHad, before };
  }

  /**
   * Counts what a flight came to.
   * @returns errors of the session before the first answer that was slow, null where none was
   */
  account(report: RcptBatchReport, usedUp: (index: number) => boolean): number | null {
    if (isBeforeRecipients(report)) return null;
    this.flights += 1;
    let slowAfter: number | null = null;
    const waits = this.session.lastWaitsMs;
    for (const [index, answer] of report.answers.slice(0, endOf(report.answers) ?? undefined).entries()) {
      const waitedMs = waits[index] ?? 0;
      // The first answer of a further flight takes a round trip, whatever else.
      const usual = this.errors < ERRORS_BEFORE_SLOWNESS || (this.flights === 2 && index === 0);
      if (usual) this.usualMs = Math.max(this.usualMs, waitedMs);
      else if (waitedMs >= SLOW_MS && waitedMs > SLOWER_THAN_USUAL * this.usualMs) slowAfter ??= this.errors;
      this.lastWasError = answer.kind === 'reply' && answer.reply.code >= 400;
      this.answered += 1;
      if (this.lastWasError) this.errors += 1;
      if (this.lastWasError && usedUp(index)) continue;
      this.served += 1;
      this.servedInTransaction += 1;
    }
    return slowAfter;
  }

  close(): void {
    this.session.close();
  }

  /** Closes, and waits for the host to do so too, at most `ms`. @returns whether it did */
  farewell(ms: number): Promise<boolean> {
    return this.session.farewell(ms);
  }

  private continues(flight: Envelope): boolean {
    return isSameEnvelope(flight, this.envelope);
  }

  private async begin(flight: RcptBatch): Promise<DialogueReport> {
    this.begun = true;
    const recipients = pathsOf(flight);
    const plan = { manner: this.manner, recipients, needsSmtpUtf8: flight.utf8 };
    const report = await converse(this.session, plan, this.note);
    if (!isBeforeRecipients(report)) this.startTransaction(flight);
    return report;
  }

  private async askFurther(flight: RcptBatch): Promise<DialogueReport> {
    const { session, manner } = this;
    const recipients = pathsOf(flight);
    if (session.peerClosed) return silence(recipients, 'mail');
    if (flight.utf8 && !session.capabilities.smtpUtf8) {
      return { ...silence(recipients, 'ehlo'), ...withoutSmtpUtf8(session, recipients) };
    }
    const pipelined = manner.pipelining && session.capabilities.pipelining;
    const reported = (answers: readonly Answer[]): DialogueReport => ({
      answers,
      smtpUtf8Missing: false,
      pipelined,
      closedOnTlsDemand: false,
      peerClosed: session.peerClosed,
    });
    if (this.continues(flight)) {
      this.takenInTransaction += recipients.length;
      const answers = await session.transactFurther(recipients, pipelined);
      return answers.length === 0 ? silence(recipients, 'mail') : reported(answers);
    }
    const { mail, recipients: answers } = await session.transact(recipients, { pipelined, smtpUtf8: flight.utf8 });
    if (answers.length === 0) return reported(recipients.map(() => mail));
    this.startTransaction(flight);
    return reported(answers);
  }

  private startTransaction({ domain, utf8, asked }: RcptBatch): void {
    this.envelope = { domain, utf8 };
    this.transactions += 1;
    this.servedInTransaction = 0;
    this.takenInTransaction = asked.length;
  }
}

function pathsOf({ asked }: RcptBatch): string[] {
  return asked.map(({ path }) => path);
}

function silence(recipients: readonly string[], stage: 'ehlo' | 'mail'): DialogueReport {
  return {
    answers: recipients.map(() => ({ kind: 'closed', stage })),
    smtpUtf8Missing: false,
    pipelined: false,
    closedOnTlsDemand: false,
    peerClosed: true,
  };
}

function demandsTls(answer: Answer): boolean {
  return (
    answer.kind === 'reply' && (answer.stage === 'mail' || answer.stage === 'rcpt') && demandsStartTls(answer.reply)
  );
}

/** Nobody knows which reply of a pipelined flight answered what once one of them cannot be an answer. */
function allOrNothing({ answers, pipelined }: DialogueReport): readonly Answer[] {
  const end = answers.find((answer) => answer.kind !== 'reply');
  const garbled = pipelined && end?.kind === 'garbage' && end.stage === 'rcpt';
  return garbled ? answers.map(() => ({ kind: 'garbage', stage: 'rcpt' })) : answers;
}
