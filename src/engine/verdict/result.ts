/** Values of the API contract. Clients are generated from them: a new value needs a new API version. */
export const RESULTS = ['valid', 'invalid', 'catch_all', 'disposable', 'role', 'unknown'] as const;
export type Result = (typeof RESULTS)[number];

export const REASONS = [
  'bad_syntax',
  'no_mx',
  'mailbox_accepts',
  'mailbox_not_found',
  'disposable_provider',
  'role_address',
  'catch_all_domain',
  'accept_all_provider',
  'greylisted',
  'smtp_timeout',
  'smtp_unreachable',
  'verification_pending',
  'blocked_domain',
  'spam_trap',
] as const;
export type Reason = (typeof REASONS)[number];

export const RECOMMENDATIONS = ['allow', 'deny', 'review'] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

export const MODES = ['quick', 'standard', 'enhanced'] as const;
export type Mode = (typeof MODES)[number];

export interface Verdict {
  readonly result: Result;
  readonly reason: Reason | null;
  /** null: neither proven nor disproven. */
  readonly deliverable: boolean | null;
}
