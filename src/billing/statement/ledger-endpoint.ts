/** What a ledger row's reference says of its call. */
export const LEDGER_ENDPOINTS = ['single', 'batch', 'job', 'other'] as const;
export type LedgerEndpoint = (typeof LEDGER_ENDPOINTS)[number];

/** SQL for the endpoint of a row of `ledger_entries e`. */
export const ENDPOINT_OF_ROW = `CASE SUBSTRING_INDEX(e.reference, ':', 1)
  WHEN 'single' THEN 'single' WHEN 'batch' THEN 'batch' WHEN 'job' THEN 'job' ELSE 'other' END`;

/** What a ledger row's reference says of its call. */
export function endpointOf(reference: string): LedgerEndpoint {
  const [word] = reference.split(':', 1);
  return LEDGER_ENDPOINTS.find((endpoint) => endpoint === word) ?? 'other';
}
