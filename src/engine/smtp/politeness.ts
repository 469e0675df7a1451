import type { Deadline } from '../deadline.js';
import type { MailProvider } from './provider.js';

/** Leave to open sessions with a group of mail hosts from one egress (decisions 6.6). */
export interface PolitenessRequest {
  /** Mail hosts run by one provider: see `mailHostGroup`. */
  readonly group: string;
  /** Limits of the provider's own, null when the group is not one of the table's. */
  readonly provider: MailProvider | null;
  /** The recipient's, in A-label form: an operator may refuse us for one of its domains and serve the others. */
  readonly domain: string;
  readonly egressId: string;
  /** Recipients that will be asked about, the random one included. */
  readonly recipients: number;
  readonly deadline: Deadline;
  /** In whose name, where several wait for the same hosts: they take turns. Means nothing else, and is shown nowhere. */
  readonly requester?: string | undefined;
  /** How long to wait for leave, milliseconds; to the deadline when left out. 0: only what is free at once. */
  readonly patienceMs?: number | undefined;
  /**
   * Further recipients over a connection that leave was granted for and that was not given back yet: no connection is
   * counted, only pace and refusals. Never waits: what is not free at once is `full`.
   */
  readonly connected?: boolean | undefined;
}

/**
 * What the sessions under a grant came to, for the back-off.
 * - `served`: answered about a recipient.
 * - `session_refused`: turned us away before a recipient was named, or closed the channel on us (421).
 * - `recipient_refused`: refused us in answer to a recipient, which may be a rule of that mailbox or domain alone.
 * - `no_answer`: none of these.
 */
export interface SessionsOutcome {
  readonly kind: 'served' | 'session_refused' | 'recipient_refused' | 'no_answer';
  /** The delay the host asked for, seconds. */
  readonly retryAfterSeconds: number | null;
}

export type PolitenessAnswer =
  /**
   * One connection at a time to hosts of the group (none where `connected`), until `release`, which must be called exactly
   * once. It must not throw.
   */
  | { readonly kind: 'granted'; release(outcome: SessionsOutcome): void }
  /** The group refused us lately and is left alone. */
  | { readonly kind: 'backed_off' }
  /** The limits were still full when patience or the deadline was over. */
  | { readonly kind: 'full' };

export interface Politeness {
  /** Waits for leave, as long as patience and deadline allow. Must not reject: it decides itself what holds while limits cannot be read. */
  acquire(request: PolitenessRequest): Promise<PolitenessAnswer>;
}

/** Grants everything: one process on its own, such as the command line. */
export const UNLIMITED: Politeness = {
  acquire: () => Promise.resolve({ kind: 'granted', release: () => undefined }),
};
