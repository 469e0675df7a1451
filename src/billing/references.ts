/** The subject of a ledger row. Its reference is globally unique; a refund's begins with that of its charge. */
interface Referenced {
  readonly reference: string;
}

/** Reference of the full refund of a charge whose answer was never sent. */
export function undoReference({ reference }: Referenced): string {
  return `${reference}:undelivered`;
}

/** Reference of a partial refund. */
export function partReference({ reference }: Referenced, part: string): string {
  return `${reference}:${part}`;
}

/** Bounds of the references of all refunds of a charge; no other reference lies between them. */
export function refundReferences({ reference }: Referenced): { readonly above: string; readonly below: string } {
  return { above: `${reference}:`, below: `${reference};` };
}
