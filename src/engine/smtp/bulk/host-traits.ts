import { FIRST_MANNER, type Manner } from '../dialogue.js';
import type { MailProvider } from '../provider.js';

/** How far a session with a host has come. */
export interface SessionCount {
  /** Recipients that got a reply, random ones included. */
  readonly answered: number;
  /** Those of them that were refused or deferred. */
  readonly errors: number;
  /** Transactions begun. */
  readonly transactions: number;
}

/** How a host ended a session. */
export interface HangUp {
  /** Its last answer about a recipient was a refusal or deferral. */
  readonly lastWasError: boolean;
  /** It said that there were too many of them. */
  readonly saysErrors: boolean;
}

/** Recipients a session with a host that is not in the provider table may take. */
const USUAL_PER_SESSION = 50;
/** RFC 5321 4.5.3.1.8: a host must take at least so many recipients in a transaction. */
const PER_TRANSACTION = 100;
/** Asked about in one go: the first time, and at most. Neither side's buffers ever hold more than a few kB of them. */
const FIRST_FLIGHT = 5;
const LARGEST_FLIGHT = 10;
/** Where hosts are known to slow down or hang up (Postfix `smtpd_soft_error_limit`): a flight never leaps over it. */
const WELL_KNOWN_ERROR_LIMIT = 10;
/** Asked about in one go beyond that, until the host has shown that it bears it. */
const WARY_FLIGHT = 3;
/** A host that is slow after fewer errors is slow in any session: a new one gains nothing. */
const FEWEST_ERRORS_WORTH_A_SESSION = 5;

/**
 * What is learnt, for the rest of a run, of how a mail host wants to be asked. It begins with what the provider table says
 * and only ever becomes more careful, but for the size of flights, which grows while all goes well.
 */
export class HostTraits {
  manner: Manner = FIRST_MANNER;
  /** It hangs up when it is told QUIT. */
  answersQuit = true;
  private perSession: number;
  private perTransaction = PER_TRANSACTION;
  private transactions = Number.POSITIVE_INFINITY;
  private errorLimit = Number.POSITIVE_INFINITY;
  private slowAfter = Number.POSITIVE_INFINITY;
  private errorsBorne = 0;
  private flight = FIRST_FLIGHT;
  private hungUpAt: SessionCount | null = null;

  constructor(provider: MailProvider | null) {
    this.perSession = provider?.recipientsPerSession ?? USUAL_PER_SESSION;
  }

  /** Recipients worth a connection of their own beside one that is open. */
  get worthAConnection(): number {
    return Math.max(1, Math.min(this.perSession, USUAL_PER_SESSION / 2));
  }

  /** A session takes just one recipient. */
  get oneASession(): boolean {
    return this.perSession === 1;
  }

  /** Recipients that may be asked about next in a session, in one go; 0: it has done its work. */
  flightSize({ answered, errors }: SessionCount): number {
    const untilRefused = Math.min(beforeHangUp(this.errorLimit), this.slowAfter) - errors;
    const wary =
      this.errorsBorne > WELL_KNOWN_ERROR_LIMIT
        ? LARGEST_FLIGHT
        : Math.max(WARY_FLIGHT, WELL_KNOWN_ERROR_LIMIT - errors);
    return Math.max(0, Math.min(this.flight, wary, this.perSession - answered, untilRefused));
  }

  /** Recipients that still fit into a transaction that has taken so many. */
  transactionRoom(taken: number): number {
    return Math.max(0, this.perTransaction - taken);
  }

  /** A session that has begun so many transactions may begin another one. */
  mayBegin(transactions: number): boolean {
    return transactions < this.transactions;
  }

  /** A whole flight was answered in step and in time. @param errors of the session so far */
  bore(errors: number): void {
    this.flight = Math.min(LARGEST_FLIGHT, this.flight * 2);
    this.errorsBorne = Math.max(this.errorsBorne, errors);
  }

  /** Answers became slow. @param errors of the session before that */
  slowedDown(errors: number): void {
    if (errors >= FEWEST_ERRORS_WORTH_A_SESSION) this.slowAfter = Math.min(this.slowAfter, errors);
  }

  /**
   * The host ended the session after it had answered about recipients. Where it says that it was for errors, or has just
   * refused one of several, it bears no more of them; anything else has to happen twice to be taken for a rule.
   */
  hungUp(at: SessionCount, { lastWasError, saysErrors }: HangUp): void {
    const { hungUpAt: before } = this;
    this.hungUpAt = at;
    const sameErrors = at.errors > 0 && at.errors === before?.errors;
    if (saysErrors || sameErrors || (lastWasError && at.errors > 1)) {
      this.errorLimit = Math.min(this.errorLimit, lastWasError ? at.errors : at.errors + 1);
    }
    if (at.answered === before?.answered) this.tookInSession(at.answered);
  }

  /** The host takes no more than so many recipients in a session. */
  tookInSession(recipients: number): void {
    this.perSession = Math.max(1, Math.min(this.perSession, recipients));
  }

  tookInTransaction(recipients: number): void {
    this.perTransaction = Math.max(1, Math.min(this.perTransaction, recipients));
  }

  tookTransactions(transactions: number): void {
    this.transactions = Math.max(1, Math.min(this.transactions, transactions));
  }
}

/** Errors after which to leave: before the host hangs up, unless it does so at the first. */
function beforeHangUp(errorLimit: number): number {
  return Math.max(1, errorLimit - 1);
}
