import type { Answer } from '../answer.js';
import { converse, pipelines, toEach, transact, type DialogueReport, type SessionOptions } from '../dialogue.js';
import { demandsStartTls } from '../demands-starttls.js';
import type { SessionContext } from '../judge-recipient.js';
import type { Note } from '../note.js';
import type { SmtpSession } from '../session.js';
import { isBeforeRecipients, type RcptBatchReport } from './recipient-steps.js';
import { isSameEnvelope, type Envelope, type RcptBatch } from './host-queue.js';
import type { SessionCount } from './host-traits.js';
import { endOf } from './session-used-up.js';

/** An answer is slow when it takes this long, and many times longer than answers before the errors began. */
const SLOW_MS = 700;
const SLOWER_THAN_USUAL = 3;
/** Answers before this many errors show the usual time. */
const ERRORS_BEFORE_SLOWNESS = 3;

/** One open session that asks about one batch after the other. */
export class BulkSession {
  /** The session can be used no more. */
  over = false;
  /** The host has answered everything so far. */
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
  private batches = 0;

  constructor(
    private readonly session: SmtpSession,
    readonly context: SessionContext,
    private readonly sessionOptions: SessionOptions,
    private readonly note: Note,
  ) {}

  get count(): SessionCount {
    return { answered: this.answered, errors: this.errors, transactions: this.transactions };
  }

  /** Recipients answered with anything but "this session is full". */
  get servedCount(): number {
    return this.served;
  }

  get servedInOpenTransaction(): number {
    return this.servedInTransaction;
  }

  /** Envelope of the transaction that takes further recipients; null: the next batch begins a new one. */
  get open(): Envelope | null {
    return this.envelope;
  }

  get taken(): number {
    return this.takenInTransaction;
  }

  get peerClosed(): boolean {
    return this.session.peerClosed;
  }

  /** The session uses TLS. */
  get secured(): boolean {
    return this.session.secured;
  }

  /** Makes the next batch begin a new transaction. */
  endTransaction(): void {
    this.envelope = null;
  }

  /** Asks about a batch. One garbage answer makes all answers of a pipelined batch garbage. */
  async ask(batch: RcptBatch): Promise<RcptBatchReport> {
    const before = {
      answered: this.answered,
      served: this.served,
      servedInTransaction: this.continues(batch) ? this.servedInTransaction : 0,
    };
    const { sessionOptions, session } = this;
    const report = await this.converse(batch);
    const tlsTried = report.answers.some(demandsStartTls) && before.answered === 0;
    const tlsToBeHad = session.capabilities.startTls && !session.secured && !tlsTried;
    if (tlsTried && !session.secured) this.over = true;
    if (report.answers.some(({ kind }) => kind === 'timeout' || kind === 'garbage')) this.responsive = false;
    return { ...report, answers: allOrNothing(report), sessionOptions, tlsToBeHad, before };
  }

  /**
   * Counts the answers of a batch.
   * @returns the session's error count before the first slow answer; null where none was slow
   */
  account(report: RcptBatchReport, usedUp: (index: number) => boolean): number | null {
    if (isBeforeRecipients(report)) return null;
    this.batches += 1;
    let slowAfter: number | null = null;
    const waits = this.session.lastWaitsMs;
    for (const [index, answer] of report.answers.slice(0, endOf(report.answers) ?? undefined).entries()) {
      const waitedMs = waits[index] ?? 0;
      // The first answer of a later batch takes a round trip in any case.
      const usual = this.errors < ERRORS_BEFORE_SLOWNESS || (this.batches === 2 && index === 0);
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

  /**
   * Sends QUIT and waits up to `ms` for the host to hang up.
   * @returns whether it did
   */
  quit(ms: number): Promise<boolean> {
    return this.session.quit(ms);
  }

  private continues(batch: Envelope): boolean {
    return isSameEnvelope(batch, this.envelope);
  }

  private async converse(batch: RcptBatch): Promise<DialogueReport> {
    const { session, sessionOptions, note } = this;
    const recipients = batch.recipients.map(({ path }) => path);
    if (this.begun && session.peerClosed) return silence(recipients);
    if (this.continues(batch)) return this.askFurther(recipients);
    const plan = { sessionOptions, recipients, needsSmtpUtf8: batch.utf8 };
    const report = await (this.begun ? transact : converse)(session, plan, note);
    this.begun = true;
    if (!isBeforeRecipients(report)) this.startTransaction(batch);
    return report;
  }

  /** Asks in the open transaction. */
  private async askFurther(recipients: readonly string[]): Promise<DialogueReport> {
    const { session } = this;
    this.takenInTransaction += recipients.length;
    const pipelined = pipelines(session, this.sessionOptions);
    const answers = await session.transactFurther(recipients, pipelined);
    return answers.length === 0 ? silence(recipients) : { answers, peerClosed: session.peerClosed, pipelined };
  }

  private startTransaction({ domain, utf8, recipients }: RcptBatch): void {
    this.envelope = { domain, utf8 };
    this.transactions += 1;
    this.servedInTransaction = 0;
    this.takenInTransaction = recipients.length;
  }
}

function silence(recipients: readonly string[]): DialogueReport {
  return toEach(recipients, { kind: 'closed', stage: 'mail' }, { peerClosed: true });
}

/** After one garbage answer nobody knows which reply of a pipelined batch answers which command. */
function allOrNothing({ answers, pipelined }: DialogueReport): readonly Answer[] {
  const end = answers.find((answer) => answer.kind !== 'reply');
  const garbled = pipelined === true && end?.kind === 'garbage' && end.stage === 'rcpt';
  return garbled ? answers.map(() => ({ kind: 'garbage', stage: 'rcpt' })) : answers;
}
