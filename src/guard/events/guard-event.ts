/** A valid decision of a guard (decisions 9.1). */
export interface GuardEvent {
  /** Lowercase; null: not reported. */
  readonly domain: string | null;
  /** Tokens as they were sent, known or not. */
  readonly verdict: string;
  readonly action: string;
  readonly source: string;
  readonly reasons: readonly string[];
  /** The guard decided without its usual data. */
  readonly degraded: boolean;
  readonly integration: string | null;
  readonly libVersion: string | null;
  readonly specVersion: string | null;
  /** As it was sent; it may not belong to the account. */
  readonly propertyKey: string | null;
}
