import { GENERAL_SELECTORS, PROVIDER_SELECTORS, SENDER_SELECTORS } from './data/dkim-selectors.js';

/**
 * The selectors to query, likeliest first, without repeats: those of the providers of the domain's mail hosts, then the
 * defaults of server software and sending services.
 *
 * @param providerIds ids of the provider table, best mail host first
 */
export function orderSelectors(providerIds: readonly string[]): readonly string[] {
  const own = providerIds.flatMap((id) => PROVIDER_SELECTORS[id] ?? []);
  const others = Object.values(PROVIDER_SELECTORS).flat();
  return [...new Set([...own, ...GENERAL_SELECTORS, ...SENDER_SELECTORS, ...others])];
}

/** The name of a selector's key (RFC 6376 3.6.2.1). */
export function selectorName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`.toLowerCase();
}
