/** Buckets of an account's credits; gifted ones are spent first. */
export const CREDIT_KINDS = ['purchased', 'gifted'] as const;
export type CreditKind = (typeof CREDIT_KINDS)[number];

/** Maximum credits per grant. */
export const MAX_GRANT = 1_000_000_000;
