import { LEDGER_ENDPOINTS, type LedgerEndpoint } from './ledger-endpoint.js';

/** What a ledger row's reference says of its call. */
export function endpointOf(reference: string): LedgerEndpoint {
  const [word] = reference.split(':', 1);
  return LEDGER_ENDPOINTS.find((endpoint) => endpoint === word) ?? 'other';
}
