/** What a ledger row is about. Its own reference is unique for ever; those of refunds begin with that of their charge. */
interface Referenced {
  readonly reference: string;
}

/** Reference of the ledger row that gives a charge back whose answer was never sent. */
export function undoReference({ reference }: Referenced): string {
  return `${reference}:undelivered`;
}

/** Reference of the ledger row that gives a part of a charge back. */
export function partReference({ reference }: Referenced, part: string): string {
  return `${reference}:${part}`;
}

/** References of whatever gives something of a charge back lie between these two, and no others. */
export function refundReferences({ reference }: Referenced): { readonly above: string; readonly below: string } {
  return { above: `${reference}:`, below: `${reference};` };
}
