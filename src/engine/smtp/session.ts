import { isPositive, isRefusal, settle, type Answer, type Incoming } from './answer.js';
import { capabilitiesOf, NO_CAPABILITIES, type Capabilities } from './capabilities.js';
import type { SmtpConnection } from './connection.js';
import type { SmtpStage } from './reply.js';

/** Our identity towards mail hosts. */
export interface SessionIdentity {
  readonly heloName: string;
  /** Envelope sender without angle brackets. */
  readonly mailFrom: string;
}

/**
 * Milliseconds for the next step of a stage, asked before each step.
 * @param unheard further commands of the same write, where none of it has been answered yet
 */
export type StepLimit = (stage: SmtpStage, unheard: number) => number;

export interface Transaction {
  /** Answer to MAIL FROM. */
  readonly mail: Answer;
  /** One answer per recipient asked, in order; empty if MAIL was not accepted. */
  readonly recipients: readonly Answer[];
}

/** How to send commands. */
export interface TransactionOptions {
  /** In one write, if the host offers PIPELINING. */
  readonly pipelined: boolean;
  readonly smtpUtf8: boolean;
}

/**
 * The commands of one SMTP session in protocol order. Sends and reads; callers judge the answers. A session may carry
 * many transactions of many recipients each. Never sends DATA or VRFY.
 */
export class SmtpSession {
  private offered: Capabilities = NO_CAPABILITIES;
  private heardExtensions = false;
  private overTls = false;
  /** True if the host said goodbye unasked. */
  private dismissed = false;
  private mayFarewell = false;
  private greeting: Promise<Answer> | null = null;
  private transactions = 0;
  /** Replies due for pipelined recipients whose MAIL was refused: skipped before the next answer. */
  private owed = 0;
  /** See `StepLimit`. */
  private unheard = 0;
  private waitsMs: number[] = [];

  constructor(
    private readonly connection: SmtpConnection,
    private readonly identity: SessionIdentity,
    private readonly limit: StepLimit,
  ) {}

  get capabilities(): Capabilities {
    return this.offered;
  }

  /**
   * True if the host listed its extensions or does not know EHLO: it lacks what it did not offer. False if it refused
   * EHLO for another reason, or we sent HELO instead.
   */
  get extensionsHeard(): boolean {
    return this.heardExtensions;
  }

  get secured(): boolean {
    return this.overTls;
  }

  get peerClosed(): boolean {
    return this.connection.peerClosed;
  }

  /** Milliseconds waited for each answer about the most recent recipients, each since the answer before. */
  get lastWaitsMs(): readonly number[] {
    return this.waitsMs;
  }

  /**
   * Waits for the whole greeting, the first time it is called. Never sends before it is complete: hosts reject clients that talk
   * early.
   */
  greet(): Promise<Answer> {
    this.greeting ??= this.next('greeting').then((answer) => {
      this.mayFarewell = answer.kind === 'reply';
      return answer;
    });
    return this.greeting;
  }

  /**
   * EHLO, then HELO if the host refuses EHLO with a 5xx (RFC 5321 3.2). If HELO gets no reply, returns the refusal of
   * EHLO, which says more.
   */
  async hello(verb: 'EHLO' | 'HELO'): Promise<Answer> {
    const first = await this.ask(`${verb} ${this.identity.heloName}`, 'ehlo');
    this.offered = verb === 'EHLO' && isPositive(first) ? capabilitiesOf(first.reply) : NO_CAPABILITIES;
    this.heardExtensions = verb === 'EHLO' && (isPositive(first) || isUnknownCommand(first));
    if (verb === 'HELO' || !isRefusal(first) || this.peerClosed) return first;
    const second = await this.ask(`HELO ${this.identity.heloName}`, 'ehlo');
    return second.kind === 'reply' ? second : first;
  }

  /**
   * STARTTLS and the handshake. A positive answer means that TLS is up and the host needs a new `hello`. `garbage` is a
   * failed handshake; `closed` means that the host hung up on the command.
   */
  async startTls(): Promise<Answer> {
    const answer = await this.ask('STARTTLS', 'starttls');
    if (!isPositive(answer)) return answer;
    this.offered = NO_CAPABILITIES;
    this.transactions = 0;
    this.overTls = await this.connection.startTls(this.limit('starttls', 0));
    if (this.overTls) return answer;
    this.mayFarewell = false;
    return { kind: 'garbage', stage: 'starttls' };
  }

  /**
   * MAIL FROM and a RCPT TO for each path, in one write if `pipelined`. Stops at the first answer that ends the session
   * (no reply, 421); the recipients not reached get the same ending.
   */
  async transact(recipients: readonly string[], { pipelined, smtpUtf8 }: TransactionOptions): Promise<Transaction> {
    this.waitsMs = [];
    const mailLine = `MAIL FROM:<${this.identity.mailFrom}>${smtpUtf8 ? ' SMTPUTF8' : ''}`;
    const rcptLines = rcptLinesOf(recipients);
    const resetLines = this.transactions > 0 ? ['RSET'] : [];
    const interrupted = await this.clearTheLine('mail');
    if (interrupted !== null) return { mail: interrupted, recipients: [] };

    this.transactions += 1;
    if (pipelined) this.send([...resetLines, mailLine, ...rcptLines]);
    const step = (line: string, stage: SmtpStage): Promise<Answer> =>
      pipelined ? this.next(stage) : this.ask(line, stage);
    for (const line of resetLines) {
      const reset = await step(line, 'mail');
      if (!isPositive(reset)) return { mail: reset, recipients: [] };
    }
    const mail = await step(mailLine, 'mail');
    if (!isPositive(mail)) {
      this.owed = pipelined ? rcptLines.length : 0;
      return { mail, recipients: [] };
    }
    return { mail, recipients: await this.answersTo(rcptLines, pipelined) };
  }

  /**
   * Further recipients of the transaction that `transact` began with an accepted MAIL. Empty if the session ended
   * before they were sent.
   */
  async transactFurther(recipients: readonly string[], pipelined: boolean): Promise<readonly Answer[]> {
    this.waitsMs = [];
    if ((await this.clearTheLine('rcpt')) !== null) return [];
    const rcptLines = rcptLinesOf(recipients);
    if (pipelined) this.send(rcptLines);
    return this.answersTo(rcptLines, pipelined);
  }

  /** One answer per line; all garbage if replies cannot be assigned. @param sent all lines were already sent */
  private async answersTo(rcptLines: readonly string[], sent: boolean): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    for (const line of rcptLines) {
      const last = answers.at(-1);
      if (last !== undefined && endsSession(last)) {
        answers.push(unreached(last));
        continue;
      }
      const began = performance.now();
      if (!sent) answers.push(await this.ask(line, 'rcpt'));
      // Most replies come together: those that are here take no promise.
      else if (this.connection.hasUnread) answers.push(settle(this.connection.takeUnread(), 'rcpt'));
      else answers.push(await this.next('rcpt'));
      this.waitsMs.push(performance.now() - began);
    }
    return (await this.saidTooMuch()) ? answers.map(() => ({ kind: 'garbage', stage: 'rcpt' })) : answers;
  }

  /** True if more replies came than we asked for, so that they cannot be assigned. A farewell is no surplus. */
  private async saidTooMuch(): Promise<boolean> {
    if (!this.connection.hasUnread) return false;
    const stray = await this.connection.read(0);
    if (stray.kind !== 'reply') return false;
    this.dismissed = stray.reply.code === 421 || stray.reply.code === 221;
    return !this.dismissed;
  }

  /** Sends QUIT if the protocol allows it, and ends the connection without waiting. */
  close(): void {
    this.connection.close(this.mayFarewell);
  }

  /**
   * Sends QUIT if the protocol allows it, and waits at most `ms` for the host to hang up before ending the connection:
   * a host that counts connections counts this one until then. @returns true if the host hung up
   */
  async quit(ms: number): Promise<boolean> {
    if (this.mayFarewell && !this.peerClosed) {
      this.mayFarewell = false;
      this.connection.send(['QUIT']);
      const until = performance.now() + ms;
      for (let leftMs = ms; leftMs > 0; leftMs = until - performance.now()) {
        if ((await this.connection.read(leftMs)).kind !== 'reply') break;
      }
    }
    const gone = this.peerClosed;
    this.connection.close(false);
    return gone;
  }

  private async ask(line: string, stage: SmtpStage): Promise<Answer> {
    const interrupted = await this.clearTheLine(stage);
    if (interrupted !== null) return interrupted;
    this.send([line]);
    return this.next(stage);
  }

  /**
   * Makes sure that the next reply answers the next command; null if so. An unasked 421 is the host's last word (RFC
   * 5321 3.8). Any other unasked reply would pass for the answer to another command, which is how mailboxes get
   * invented.
   */
  private async clearTheLine(stage: SmtpStage): Promise<Answer | null> {
    if (this.dismissed) return { kind: 'closed', stage };
    for (; this.owed > 0; this.owed -= 1) {
      const unwanted = await this.connection.read(this.limit(stage, 0));
      if (endsSession(unwanted)) return settle(unwanted, stage);
    }
    if (!this.connection.hasUnread) return null;
    const stray = await this.connection.read(0);
    return endsSession(stray) ? settle(stray, stage) : { kind: 'garbage', stage };
  }

  private send(lines: readonly string[]): void {
    this.connection.send(lines);
    this.unheard = lines.length - 1;
  }

  private async next(stage: SmtpStage): Promise<Answer> {
    const limitMs = this.limit(stage, this.unheard);
    this.unheard = 0;
    return settle(await this.connection.read(limitMs), stage);
  }
}

function rcptLinesOf(recipients: readonly string[]): readonly string[] {
  return recipients.map((path) => `RCPT TO:<${path}>`);
}

function endsSession(incoming: Incoming): boolean {
  return incoming.kind !== 'reply' || incoming.reply.code === 421;
}

function unreached(last: Answer): Answer {
  return last.kind === 'reply' ? { kind: 'closed', stage: 'rcpt' } : last;
}

/** RFC 5321 4.2.4: the host does not know the command. */
function isUnknownCommand(answer: Answer): boolean {
  return isRefusal(answer) && (answer.reply.code === 500 || answer.reply.code === 502);
}
