/** One decision that a guard reports, well-formed (decisions 9.1). */
export interface GuardEvent {
  /** Lowercase; null: not said. */
  readonly domain: string | null;
  /** Tokens as they were sent, known to us or not. */
  readonly verdict: string;
  readonly action: string;
  readonly source: string;
  readonly reasons: readonly string[];
  /** It had to decide without what it usually asks. */
  readonly degraded: boolean;
  readonly integration: string | null;
  readonly libVersion: string | null;
  readonly specVersion: string | null;
  /** As it was sent; whether it is one of the account's is another question. */
  readonly propertyKey: string | null;
}
