export const LEDGER_KINDS = ['grant', 'charge', 'refund'] as const;
/** Kind of a ledger row. */
export type LedgerKind = (typeof LEDGER_KINDS)[number];
