import type { MailHost } from '../dns/mail-hosts.js';
import type { DoNotProbe } from '../signals/lists.js';
import { addressesToTry } from './connect-host.js';
import type { Egress } from './egress.js';

/**
 * True if we may connect to this address of a mail host about this domain: none of the three is on the do-not-probe
 * list (decisions 6.6).
 */
export function mayConnect(list: DoNotProbe, domain: string, host: MailHost, ip: string): boolean {
  return !list.isNoProbe(domain) && !list.isNoProbe(host.name) && !list.isNoProbeAddress(ip);
}

/** True if the domain, the host, or each of its addresses we would try, is on the do-not-probe list. */
export function isOffLimits(
  list: DoNotProbe,
  domain: string,
  { host, egress }: { readonly host: MailHost; readonly egress: Pick<Egress, 'ipv6'> },
): boolean {
  const may = (ip: string): boolean => mayConnect(list, domain, host, ip);
  return addressesToTry({ host, egress, othersWait: false, mayConnect: may }).length === 0;
}
