/** Recipients that got a reply, and those of them that were refused or deferred. */
export interface AnswerCount {
  readonly answered: number;
  readonly errors: number;
}

/** Recipients in the first batch at a host while the list is unknown or bad: nearly any host bears as many errors. */
const SMALL = 5;
/** The same for a list with few errors. */
const LARGE = 20;
/** Errors at which common hosts slow down (Postfix `smtpd_soft_error_limit`). */
export const WELL_KNOWN_ERROR_LIMIT = 10;
/** Of twenty recipients of a list with fewer errors than this, more than ten are errors at one host in 25. */
const FEW_ERRORS = 1 / 3;
/** A list begins as if so many recipients had been errors. */
const ERRORS_BEFORE = 10;

/** How the hosts of one list of addresses answered the first batches of their sessions, and so how large the next may be. */
export class FirstBatches {
  private answered = 0;
  private errors = 0;
  private hostsMind = false;

  /** Share of errors to expect of a recipient; 1 while nothing is known. */
  get errorShare(): number {
    return (this.errors + ERRORS_BEFORE) / (this.answered + ERRORS_BEFORE);
  }

  /** Recipients of the first batch at a host of which nothing is known. */
  get size(): number {
    if (this.errorShare >= FEW_ERRORS) return SMALL;
    return this.hostsMind ? WELL_KNOWN_ERROR_LIMIT : LARGE;
  }

  /**
   * Records the answers to the first batch of a session.
   * @param wasPunished the host slowed down or hung up. For many errors it takes seconds, which is more than large batches save.
   */
  note({ answered, errors }: AnswerCount, wasPunished: boolean): void {
    this.answered += answered;
    this.errors += errors;
    this.hostsMind ||= wasPunished && errors >= WELL_KNOWN_ERROR_LIMIT;
  }
}
