import { getDomain } from 'tldts';
import type { MailProvider } from './provider.js';

/**
 * The group of a mail host, which shares limits and back-off: its provider in the table, else the registrable domain of
 * the host's name.
 */
export function mailHostGroup(mailHost: string, provider: MailProvider | null): string {
  if (provider !== null) return `provider:${provider.id}`;
  return `domain:${getDomain(mailHost) ?? mailHost}`;
}
