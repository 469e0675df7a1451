/** Where a recipient was accepted. */
export interface AcceptedAt {
  /** The recipient's, in A-label form. */
  readonly domain: string;
  /** Name of the mail host. */
  readonly host: string;
  readonly egressId: string;
}

/** Remembers for some days where recipients other than postmaster were accepted: the witnesses of decisions 6.12. */
export interface AcceptedRecipients {
  /** Must not reject: what cannot be looked up is not known. */
  isKnown(at: AcceptedAt): Promise<boolean>;
  /** Called for every recipient that is accepted. Must not throw, and takes no time. */
  note(at: AcceptedAt): void;
}

/** Remembers nothing: one process on its own, such as the command line. */
export const NO_ACCEPTED_RECIPIENTS: AcceptedRecipients = {
  isKnown: () => Promise.resolve(false),
  note: () => undefined,
};
