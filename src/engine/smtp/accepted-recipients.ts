/** The domain, host and egress of an accepted recipient. */
export interface AcceptedAt {
  /** The recipient's domain, in A-label form. */
  readonly domain: string;
  /** Name of the mail host. */
  readonly host: string;
  readonly egressId: string;
}

/** Unproven refusals after an acceptance, from which on it proves nothing of them alone: the host may have blocked us since. */
export const MANY_UNPROVEN = 3;

/**
 * What a remembered acceptance says of an unproven refusal:
 * - `lately`: the host still serves us.
 * - `earlier`: it is hours old, or some unproven refusals came since: the host may have blocked us after it.
 */
export type RememberedAcceptance = 'lately' | 'earlier';

/** Remembers for some days where recipients other than postmaster were accepted: the witnesses of decisions 6.12. */
export interface AcceptedRecipients {
  /** Called for an unproven refusal. Null if none is known or the look-up fails. Must not reject. */
  recall(at: AcceptedAt): Promise<RememberedAcceptance | null>;
  /** Called for every accepted recipient. Must not throw, and returns at once. */
  note(at: AcceptedAt): void;
}

/** Remembers nothing: for a single process such as the command line. */
export const NO_ACCEPTED_RECIPIENTS: AcceptedRecipients = {
  recall: () => Promise.resolve(null),
  note: () => undefined,
};
