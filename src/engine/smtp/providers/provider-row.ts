import type { MailProvider } from '../provider.js';

/** One row of the provider table. */
export interface ProviderRow {
  readonly id: string;
  readonly name: string;
  readonly kind: MailProvider['kind'];
  /**
   * Names of its mail hosts: each stands for itself and every host below it; `inbound.*.example.com` for hosts whose name
   * begins and ends so.
   */
  readonly hosts: readonly string[];
  readonly acceptsAll: MailProvider['acceptsAll'];
  /** Why `acceptsAll` says what it says, in words an operator understands. */
  readonly reason: string;
  /** Default true. */
  readonly randomProbeMeaningful?: boolean;
  readonly limits: Limits;
}

type Limits = Pick<MailProvider, 'recipientsPerSession' | 'maxConnections' | 'recipientsPerMinute'>;

/** Runs at a scale where our questions are not seen, and limits by reputation. */
export const ROOMY: Limits = { recipientsPerSession: 10, maxConnections: 4, recipientsPerMinute: 120 };
/** Most hosts: polite, and fast enough for a job of thousands. */
export const USUAL: Limits = { recipientsPerSession: 5, maxConnections: 2, recipientsPerMinute: 60 };
/** Known to count sessions or recipients, and to shut out who asks often. */
export const WARY: Limits = { recipientsPerSession: 3, maxConnections: 2, recipientsPerMinute: 30 };
/** Hangs up after a refusal, or refuses each further recipient of a session. */
export const ONE_A_SESSION: Limits = { recipientsPerSession: 1, maxConnections: 2, recipientsPerMinute: 30 };
