/** What earlier checks found out about a domain, beside the lists. It is kept by whoever runs the engine. */
export interface DomainKnowledge {
  /** Known as a catch-all: row 8 of decisions 5.1. */
  readonly catchAll: boolean;
}

export const NOTHING_KNOWN: DomainKnowledge = { catchAll: false };
