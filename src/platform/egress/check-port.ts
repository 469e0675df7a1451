import type { Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import type { Deadline } from '../../engine/deadline.js';
import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { DoNotProbe } from '../../engine/signals/lists.js';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { WatchedEgress } from './watched-egress.js';

export interface References {
  readonly finder: Pick<MailHostFinder, 'findMailHosts'>;
  /** Domains with reliable mail hosts of different providers. */
  readonly domains: readonly string[];
  /** The domains among them that must not be contacted. */
  readonly doNotProbe: DoNotProbe;
  readonly port: number;
  readonly connectTimeoutMs: number;
}

/** This many providers must be unreachable before our port counts as closed. */
const ENOUGH_REFERENCES = 2;
const FAREWELL_MS = 5000;

/**
 * Connects to the best mail host of one reference domain after another until one accepts; reads its greeting and quits,
 * asking nothing. The egress record notes the results. Concludes nothing without DNS or with a broken proxy.
 */
export async function checkPort(egress: WatchedEgress, references: References, deadline: Deadline): Promise<void> {
  let outOfReach = 0;
  let last = '';
  for (const domain of references.domains) {
    if (deadline.expired) return;
    const address = await addressOf(domain, egress.ipv6, references, deadline);
    if (address === null) continue;
    last = address;
    try {
      const timeoutMs = deadline.capMs(references.connectTimeoutMs);
      const socket = await egress.connect(address, references.port, timeoutMs, deadline.signal);
      return await leave(socket, deadline.signal);
    } catch (error) {
      if (!(error instanceof ConnectionFault)) throw error;
      if (error.blame === 'theirs' && error.why !== 'forbidden_address' && !deadline.expired) outOfReach += 1;
    }
  }
  if (outOfReach >= ENOUGH_REFERENCES) egress.record.referencesFailed(last);
}

async function addressOf(
  domain: string,
  overIpv6: boolean,
  { finder, doNotProbe }: References,
  deadline: Deadline,
): Promise<string | null> {
  const finding = await finder.findMailHosts(domain, { deadline });
  const host = finding.kind === 'found' ? finding.hosts[0] : undefined;
  if (host === undefined || doNotProbe.isNoProbe(domain) || doNotProbe.isNoProbe(host.name)) return null;
  const mayConnect = (ip: string): boolean => (overIpv6 || !isIPv6(ip)) && !doNotProbe.isNoProbeAddress(ip);
  return host.addresses.find(mayConnect) ?? null;
}

/** Waits for the greeting (a client that speaks first looks like a spammer), sends QUIT and waits for the end. */
export function leave(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => void socket.destroy();
    const timer = setTimeout(end, FAREWELL_MS);
    signal.addEventListener('abort', end, { once: true });
    socket.once('data', () => socket.end('QUIT\r\n'));
    socket.once('end', end);
    socket.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    });
    // A host may hang up on us; and the socket of a proxy starts paused.
    socket.on('error', end).resume();
    if (socket.destroyed || signal.aborted) end();
  });
}
