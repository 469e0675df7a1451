/** What we know of a mail host's provider. */
export interface MailProvider {
  /** Stable id, such as `google`. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'mailbox' | 'hosted' | 'gateway' | 'forwarder' | 'inbound-api' | 'relay';
  /**
   * `always`: accepts every recipient; a probe proves nothing (row 7 of decisions 5.1).
   * `sometimes`: may accept unknown recipients; a 250 counts only beside a refused random recipient (row 13).
   * `never`: a 250 means the mailbox exists unless the domain is a catch-all.
   */
  readonly acceptsAll: 'always' | 'sometimes' | 'never';
  /** False if the answer to a random recipient means nothing (it may be greylisted or region-bound). */
  readonly randomProbeMeaningful: boolean;
  /** Recipients judged per session; 1: the random recipient needs its own session. */
  readonly recipientsPerSession: number;
  /** Concurrent connections per egress, across all processes. */
  readonly maxConnections: number;
  /** Recipients per minute per egress, across all processes. */
  readonly recipientsPerMinute: number;
}
