import type { Deadline } from '../deadline.js';
import type { MailProvider } from './provider.js';

/** A request to open sessions with a group of mail hosts from one egress (decisions 6.6). */
export interface PolitenessRequest {
  /** Mail hosts of one provider: see `mailHostGroup`. */
  readonly group: string;
  /** The provider's own limits, or null if the table lacks the provider. */
  readonly provider: MailProvider | null;
  /** The recipient's domain, in A-label form: a host may refuse us for one of its domains and serve the others. */
  readonly domain: string;
  readonly egressId: string;
  /** Number of recipients to ask about, the random one included. */
  readonly recipients: number;
  readonly deadline: Deadline;
  /** Requesters that wait for the same hosts take turns. It has no other effect, and is shown nowhere. */
  readonly requester?: string | undefined;
  /** How long to wait, milliseconds; 0 does not wait. Default: until the deadline. */
  readonly patienceMs?: number | undefined;
  /**
   * Asks for further recipients on a connection with an unreleased permit: counts pace and refusals but no connection.
   * Never waits: `full` if not free at once.
   */
  readonly connected?: boolean | undefined;
}

/**
 * Outcome of the sessions under one permit, for the back-off.
 * - `served`: answered about a recipient.
 * - `session_refused`: refused us before a recipient was named, or closed the channel (421).
 * - `recipient_refused`: refused us in answer to a recipient, perhaps by a rule of that mailbox or domain alone.
 * - `no_answer`: none of these.
 */
export interface SessionsOutcome {
  readonly kind: 'served' | 'session_refused' | 'recipient_refused' | 'no_answer';
  /** The delay the host asked for, seconds. */
  readonly retryAfterSeconds: number | null;
}

export type PolitenessAnswer =
  /**
   * Permits one connection at a time to hosts of the group (none if `connected`) until `release`, which must be called
   * exactly once and must not throw. `asked`: the recipients asked about; later requests wait for those beyond
   * `recipients`, as on a retry or at the next mail host of the group.
   * `recipients`: those requested, or as many as the pace ever allows at once.
   */
  | { readonly kind: 'granted'; readonly recipients: number; release(outcome: SessionsOutcome, asked?: number): void }
  /** The group refused us lately and is left alone. */
  | { readonly kind: 'backed_off' }
  /** The limits stayed full until patience or the deadline ended. `pace` is left out where it was not the pace alone. */
  | { readonly kind: 'full'; readonly pace?: Pace };

/** What the pace of a group allows. */
export interface Pace {
  /** Recipients that may be asked about now: fewer than were requested. */
  readonly recipients: number;
  /** Milliseconds until all that were requested, or a full burst of them. */
  readonly waitMs: number;
}

export interface Politeness {
  /**
   * Waits for a permit as long as patience and deadline allow. Must not reject: the implementation decides what to do
   * while the limits cannot be read.
   */
  acquire(request: PolitenessRequest): Promise<PolitenessAnswer>;
}

/** Grants everything: for a single process such as the command line. */
export const UNLIMITED: Politeness = {
  acquire: ({ recipients }) => Promise.resolve({ kind: 'granted', recipients, release: () => undefined }),
};
