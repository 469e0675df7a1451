import { getDomain } from 'tldts';
import type { MailProvider } from './provider.js';

/**
 * The provider a mail host belongs to, as far as its name tells: the provider of the table, else the registrable domain
 * of the host's name. Limits and back-off are kept by this.
 */
export function mailHostGroup(mailHost: string, provider: MailProvider | null): string {
  if (provider !== null) return `provider:${provider.id}`;
  return `domain:${getDomain(mailHost) ?? mailHost}`;
}
