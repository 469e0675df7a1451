import type { PolitenessAnswer, SessionsOutcome } from './politeness.js';
import { betterOutcome, NO_ANSWER } from './sessions-outcome.js';

/** A politeness permit for recipients of a domain at a group of mail hosts, and the best outcome under it so far. */
export class SessionsPermit {
  private outcome: SessionsOutcome = NO_ANSWER;
  private refusedInRow = false;
  private asked = 0;

  constructor(
    readonly group: string,
    readonly domain: string,
    private readonly grant: PolitenessAnswer & { readonly kind: 'granted' },
  ) {}

  /** Recipients of a batch that it covers. */
  get recipients(): number {
    return this.grant.recipients;
  }

  /** Recipients that it covers and that nobody was asked about. */
  get unused(): number {
    return Math.max(0, this.grant.recipients - this.asked);
  }

  /** Every answer was a refusal of us: the permit may serve another host of the group. */
  get refused(): boolean {
    return this.outcome.kind === 'session_refused' || this.outcome.kind === 'recipient_refused';
  }

  /** Counts recipients asked about: more than it covers where the permit is kept for another host. */
  countAsked(recipients: number): void {
    this.asked += recipients;
  }

  /** Keeps the best outcome. */
  note(outcome: SessionsOutcome): void {
    this.outcome = betterOutcome(this.outcome, outcome);
  }

  /** Notes refusals for recipient after recipient: more than a rule of one mailbox. */
  noteRefusedInRow(): void {
    this.refusedInRow = true;
  }

  /**
   * Releases a permit for further recipients on a connection. The connection's own permit reports that the host served
   * us, so that this one need not.
   */
  releaseInto(connection: SessionsPermit): void {
    if (this.refused || connection.domain !== this.domain) return this.release();
    connection.note(this.outcome);
    this.grant.release(NO_ANSWER, this.asked);
  }

  release(): void {
    const { outcome, refusedInRow, asked } = this;
    this.grant.release(refusedInRow && this.refused ? { ...outcome, kind: 'session_refused' } : outcome, asked);
  }
}
