import type { PolitenessAnswer, SessionsOutcome } from '../politeness.js';
import { betterOutcome, NO_ANSWER } from '../sessions-outcome.js';

/** Leave that politeness gave for recipients of a domain at a group of mail hosts, and what came of it so far. */
export class ConnectionPermit {
  private outcome: SessionsOutcome = NO_ANSWER;
  private refusedInRow = false;

  constructor(
    readonly group: string,
    readonly domain: string,
    private readonly grant: PolitenessAnswer & { readonly kind: 'granted' },
  ) {}

  /** Nothing but refusals of us: another host of the group may be asked under the same leave. */
  get refused(): boolean {
    return this.outcome.kind === 'session_refused' || this.outcome.kind === 'recipient_refused';
  }

  /** The best news counts. */
  note(outcome: SessionsOutcome): void {
    this.outcome = betterOutcome(this.outcome, outcome);
  }

  /** Refused for recipient after recipient, which is more than a rule of one mailbox. */
  noteRefusedInRow(): void {
    this.refusedInRow = true;
  }

  release(): void {
    const { outcome, refusedInRow } = this;
    this.grant.release(refusedInRow && this.refused ? { ...outcome, kind: 'session_refused' } : outcome);
  }
}
