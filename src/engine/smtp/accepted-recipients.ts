/** The domain, host and egress of an accepted recipient. */
export interface AcceptedAt {
  /** The recipient's domain, in A-label form. */
  readonly domain: string;
  /** Name of the mail host. */
  readonly host: string;
  readonly egressId: string;
}

/** Remembers for some days where recipients other than postmaster were accepted: the witnesses of decisions 6.12. */
export interface AcceptedRecipients {
  /** False if unknown or the look-up fails. Must not reject. */
  isKnown(at: AcceptedAt): Promise<boolean>;
  /** Called for every accepted recipient. Must not throw, and returns at once. */
  note(at: AcceptedAt): void;
}

/** Remembers nothing: for a single process such as the command line. */
export const NO_ACCEPTED_RECIPIENTS: AcceptedRecipients = {
  isKnown: () => Promise.resolve(false),
  note: () => undefined,
};
