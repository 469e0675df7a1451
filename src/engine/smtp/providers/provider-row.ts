import type { MailProvider } from '../provider.js';

/** One row of the provider table. */
export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  readonly kind: MailProvider['kind'];
  /**
   * Names of its mail hosts; each covers its subdomains. `inbound.*.example.com` covers hosts with that beginning and
   * end.
   */
  readonly hosts: readonly string[];
  readonly acceptsAll: MailProvider['acceptsAll'];
  /** Why `acceptsAll` has its value, in an operator's words. */
  readonly reason: string;
  /** Default true. */
  readonly randomProbeMeaningful?: boolean;
  readonly limits: Limits;
}

type Limits = Pick<MailProvider, 'recipientsPerSession' | 'maxConnections' | 'recipientsPerMinute'>;

/** So large that it does not notice our questions; limits by reputation. */
export const ROOMY: Limits = { recipientsPerSession: 10, maxConnections: 4, recipientsPerMinute: 120 };
/** Most hosts: polite, and fast enough for a job of thousands. */
export const USUAL: Limits = { recipientsPerSession: 5, maxConnections: 2, recipientsPerMinute: 60 };
/** Known to count sessions or recipients, and to block frequent clients. */
export const WARY: Limits = { recipientsPerSession: 3, maxConnections: 2, recipientsPerMinute: 30 };
/** Hangs up after a refusal, or refuses each further recipient of a session. */
export const ONE_A_SESSION: Limits = { recipientsPerSession: 1, maxConnections: 2, recipientsPerMinute: 30 };
