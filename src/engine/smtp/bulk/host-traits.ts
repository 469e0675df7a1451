import { DEFAULT_SESSION_OPTIONS, type SessionOptions } from '../dialogue.js';
import type { Answer } from '../answer.js';
import type { MailProvider } from '../provider.js';
import { FirstBatches, type AnswerCount, WELL_KNOWN_ERROR_LIMIT } from './first-batches.js';

/** How much of a session with a host is used, random recipients included. */
export interface SessionCount extends AnswerCount {
  /** Transactions begun. */
  readonly transactions: number;
}

/** How a host ended a session. */
export interface HangUp {
  /** The last answer about a recipient was a refusal or deferral. */
  readonly lastWasError: boolean;
  /** The host said that there were too many errors. */
  readonly saysErrors: boolean;
}

/** Recipients per session at a host outside the provider table. */
const USUAL_PER_SESSION = 50;
/** RFC 5321 4.5.3.1.8: a host must accept at least this many recipients in a transaction. */
const PER_TRANSACTION = 100;
/** Buffers of either side never hold more than a few kB of a batch. */
const LARGEST_BATCH_SIZE = 20;
const GROWTH = 3;
/** Errors at which common hosts hang up, after their answer to the last (Postfix `smtpd_hard_error_limit`). */
const WELL_KNOWN_HANG_UP = 20;
/** Batch size beyond the errors at which common hosts slow down, until the host has answered such a batch in time. */
const WARY_BATCH_SIZE = 3;
/** A host that is slow after fewer errors is slow in any session: a new session gains nothing. */
const FEWEST_ERRORS_WORTH_A_SESSION = 5;

/** Errors that any host of these makes bears in a session, by the name in its greeting. */
const ERRORS_BORNE: readonly { readonly name: RegExp; readonly errors: number }[] = [
  // At the next one those that follow its wiki hang up, and those of cPanel, by default, may then serve us no more for an hour.
  { name: /\bExim \d/, errors: 4 },
  // Blocks the address of a client at the third unknown recipient of a session, by default.
  { name: /\bMDaemon \d/, errors: 2 },
  // Its makers advise to block the address for four hours at the fifth.
  { name: /\b(?:IceWarp|Merak) \d/, errors: 4 },
];

/**
 * What a run learns about how a mail host wants to be asked. It starts from the provider table and only becomes more
 * careful; only the batch size grows, while the host answers in time.
 */
export class HostTraits {
  sessionOptions: SessionOptions = DEFAULT_SESSION_OPTIONS;
  /** The host hangs up after QUIT. */
  answersQuit = true;
  private perSession: number;
  private perTransaction = PER_TRANSACTION;
  private transactions = Number.POSITIVE_INFINITY;
  private errorLimit = Number.POSITIVE_INFINITY;
  private slowAfter = Number.POSITIVE_INFINITY;
  private errorsBorne = 0;
  /** null: no batch was answered in time. */
  private grownBatchSize: number | null = null;
  private hungUpAt: SessionCount | null = null;

  /** @param list what other hosts taught about the list that is asked about */
  constructor(
    provider: MailProvider | null,
    readonly list = new FirstBatches(),
  ) {
    this.perSession = provider?.recipientsPerSession ?? USUAL_PER_SESSION;
  }

  /** Waiting recipients that justify one more connection. */
  get worthAConnection(): number {
    return Math.max(1, Math.min(this.perSession, USUAL_PER_SESSION / 2));
  }

  /** Records what the greeting tells of the host's software. */
  greeted(greeting: Answer): void {
    if (greeting.kind !== 'reply') return;
    const line = greeting.reply.lines[0] ?? '';
    const borne = ERRORS_BORNE.find(({ name }) => name.test(line));
    if (borne !== undefined) this.errorLimit = Math.min(this.errorLimit, borne.errors + 1);
  }

  /** Size of the session's next batch; 0: end the session. */
  batchSize({ answered, errors }: SessionCount): number {
    const untilRefused = Math.min(beforeHangUp(this.errorLimit), this.slowAfter) - errors;
    const wary = this.errorsBorne > WELL_KNOWN_ERROR_LIMIT ? LARGEST_BATCH_SIZE : this.warySize(answered, errors);
    return Math.max(0, Math.min(this.currentBatchSize, wary, this.perSession - answered, untilRefused));
  }

  /** Recipients that still fit into a transaction with `taken` recipients. */
  transactionRoom(taken: number): number {
    return Math.max(0, this.perTransaction - taken);
  }

  /** Whether a session with this many transactions may begin another one. */
  mayBegin(transactions: number): boolean {
    return transactions < this.transactions;
  }

  /**
   * Records a whole batch that was answered in order and in time.
   * @param errors of the session so far
   */
  answeredInTime(errors: number): void {
    this.grownBatchSize = Math.min(LARGEST_BATCH_SIZE, this.currentBatchSize * GROWTH);
    this.errorsBorne = Math.max(this.errorsBorne, errors);
  }

  /**
   * Records slow answers.
   * @param errors of the session before them
   */
  slowedDown(errors: number): void {
    if (errors >= FEWEST_ERRORS_WORTH_A_SESSION) this.slowAfter = Math.min(this.slowAfter, errors);
  }

  /**
   * Records that the host ended the session after it answered about recipients. If it says so, or has just refused one
   * of several, errors were the reason and the limit applies at once; any other reason must occur twice.
   */
  hungUp(at: SessionCount, { lastWasError, saysErrors }: HangUp): void {
    const { hungUpAt: before } = this;
    this.hungUpAt = at;
    const sameErrors = at.errors > 0 && at.errors === before?.errors;
    if (saysErrors || sameErrors || (lastWasError && at.errors > 1)) {
      this.errorLimit = Math.min(this.errorLimit, lastWasError ? at.errors : at.errors + 1);
    }
    if (at.answered === before?.answered) this.limitPerSession(at.answered);
  }

  /** Records the most recipients the host takes in a session. */
  limitPerSession(recipients: number): void {
    this.perSession = Math.max(1, Math.min(this.perSession, recipients));
  }

  limitPerTransaction(recipients: number): void {
    this.perTransaction = Math.max(1, Math.min(this.perTransaction, recipients));
  }

  limitTransactions(transactions: number): void {
    this.transactions = Math.max(1, Math.min(this.transactions, transactions));
  }

  private get currentBatchSize(): number {
    return this.grownBatchSize ?? this.list.size;
  }

  /**
   * Size of a batch with which a session comes to the error limit, if as large a share of it is errors as if two more had
   * come, or as of the list while the session has no answers. None could go beyond the errors at which hosts hang up.
   */
  private warySize(answered: number, errors: number): number {
    const share = answered === 0 ? this.list.errorShare : (errors + 2) / (answered + 2);
    const expected = Math.floor((WELL_KNOWN_ERROR_LIMIT - errors) / share);
    return Math.max(WARY_BATCH_SIZE, Math.min(expected, WELL_KNOWN_HANG_UP - errors));
  }
}

/** Errors after which to end a session: before the host hangs up, unless it does so at the first error. */
function beforeHangUp(errorLimit: number): number {
  return Math.max(1, errorLimit - 1);
}
