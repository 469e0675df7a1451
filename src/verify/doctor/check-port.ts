import type { Deadline } from '../../engine/deadline.js';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import { leave, type References } from '../../platform/egress/check-port.js';
import type { WatchedEgress } from '../../platform/egress/watched-egress.js';
import { fault, ok, unknown, type Finding } from './finding.js';

type PortCheck = Omit<References, 'doNotProbe'>;
type Reached = { readonly host: string; readonly how: 'connected' | 'out of reach' } | { readonly how: 'no mail host' };

/** Connects to the best mail host of each domain, waits for its greeting and disconnects: no command is sent. */
export async function checkPort(egress: WatchedEgress, settings: PortCheck, deadline: Deadline): Promise<Finding> {
  const { domains, port } = settings;
  const check = `outgoing port ${port}`;
  if (domains.length === 0) return unknown(check, 'there is no host to try: SMTP_CHECK_DOMAINS is none');
  const reached = await Promise.all(domains.map((domain) => reach(egress, domain, settings, deadline)));
  const hosts = (how: Reached['how']): string =>
    reached.flatMap((one) => (one.how === how && 'host' in one ? [one.host] : [])).join(', ');
  if (reached.some(({ how }) => how === 'connected')) {
    const silent = hosts('out of reach');
    return ok(check, `open: ${hosts('connected')} answered${silent === '' ? '' : `, ${silent} did not`}`);
  }
  if (reached.every(({ how }) => how === 'no mail host')) return unknown(check, 'no mail host could be looked up');
  const advice =
    'Ask the provider of this machine to open outgoing port 25, or use a SOCKS5 proxy elsewhere in SMTP_EGRESS. Until then every probe is verify_unavailable.';
  return fault(check, `closed: ${hosts('out of reach')} could not be reached`, advice);
}

async function reach(
  egress: WatchedEgress,
  domain: string,
  { finder, port, connectTimeoutMs }: PortCheck,
  deadline: Deadline,
): Promise<Reached> {
  const finding = await finder.findMailHosts(domain, { deadline });
  const [host] = finding.kind === 'found' ? finding.hosts : [];
  const address = host?.addresses.find((ip) => egress.ipv6 || !ip.includes(':'));
  if (host === undefined || address === undefined) return { how: 'no mail host' };
  try {
    const socket = await egress.connect(address, port, deadline.capMs(connectTimeoutMs), deadline.signal);
    await leave(socket, deadline.signal);
    return { host: host.name, how: 'connected' };
  } catch (error) {
    if (!(error instanceof ConnectionFault)) throw error;
    return { host: host.name, how: 'out of reach' };
  }
}
