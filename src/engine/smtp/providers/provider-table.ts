import { FORWARDING_PROVIDERS } from './forwarding-providers.js';
import { GATEWAY_PROVIDERS } from './gateway-providers.js';
import { MAILBOX_PROVIDERS } from './mailbox-providers.js';
import type { ProviderRow } from './provider-row.js';

/**
 * The providers of mail hosts. `acceptsAll: always` skips the probe (decisions 5.1 row 7): only for services that
 * accept by design. `sometimes` needs a refused random recipient beside an acceptance (row 13). `never` still allows a
 * catch-all customer domain, which enhanced checks detect domain by domain.
 */
export const PROVIDER_TABLE: readonly ProviderRow[] = [
  ...MAILBOX_PROVIDERS,
  ...GATEWAY_PROVIDERS,
  ...FORWARDING_PROVIDERS,
];
