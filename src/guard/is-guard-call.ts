import type { IncomingHttpHeaders } from 'node:http';

/** `<name>/<version>`; a name may be a scoped one, `@acme/guard`. */
const INTEGRATION = /^[!-~]{1,100}\/[!-.0-~]{1,100}$/;
const PRODUCT = /^email-guard-/;

/** True for a request of a guard that decides for a waiting form (decisions 9.3), by its headers. */
export function isGuardCall(headers: IncomingHttpHeaders): boolean {
  const integration = headers['x-guard-integration'];
  // Two such headers, of a library and of the product that embeds it, arrive as one, joined by a comma.
  if (typeof integration === 'string' && integration.split(', ').some((each) => INTEGRATION.test(each))) return true;
  return PRODUCT.test(headers['user-agent'] ?? '');
}
