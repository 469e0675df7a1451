import { isIPv6 } from 'node:net';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import { ConnectTimeout } from './open-socket.js';

/** System errors that the mail host causes. */
const THEIRS: Readonly<Record<string, ConnectionFault['why']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
};

/**
 * Blames a failed connection on the mail host or on us. Causes not known to be the host's are ours: source address
 * gone, no file handles, our own firewall. No verdict is better than a wrong one. ENETUNREACH is the host's only if our
 * machine has a route (`hasRoute`). Our own fault over IPv6 concerns this address alone: a machine without IPv6
 * (EADDRNOTAVAIL where it is switched off) reaches all other hosts.
 */
export async function directFault(
  error: unknown,
  address: string,
  hasRoute: () => Promise<boolean>,
): Promise<ConnectionFault> {
  if (error instanceof ConnectTimeout) return new ConnectionFault('theirs', 'timeout');
  const code = codeOf(error);
  if (code === 'ENETUNREACH') return new ConnectionFault((await hasRoute()) ? 'theirs' : 'ours', 'unreachable');
  const why = THEIRS[code];
  if (why !== undefined) return new ConnectionFault('theirs', why);
  return new ConnectionFault('ours', isIPv6(address) ? 'unreachable' : 'local');
}

/** Reply texts of a SOCKS5 proxy that concern the mail host (RFC 1928 6). */
const PROXY_WORDS: Readonly<Record<string, ConnectionFault['why']>> = {
  ConnectionRefused: 'refused',
  HostUnreachable: 'unreachable',
  TTLExpired: 'timeout',
};

/**
 * The fault behind a failed SOCKS handshake. `socks` distinguishes refusals only by text, so this reads the part after
 * its last hyphen. `waitedForHost`: the proxy had accepted our request and was silent, so the mail host does not
 * answer. Any other refusal, or its hanging up then, is blamed on the proxy, which may have no network at all, but concerns
 * this address alone: it may have no IPv6, or say of a dead host no more than "failure".
 */
export function socksFault(message: string, waitedForHost: boolean): ConnectionFault {
  const word = /rejected connection - (\w+)$/i.exec(message)?.[1];
  const why = PROXY_WORDS[word ?? ''];
  if (why !== undefined) return new ConnectionFault('theirs', why);
  const hungUp = waitedForHost && /closed/i.test(message);
  if (word !== undefined || hungUp) return new ConnectionFault('ours', 'unreachable');
  const silent = waitedForHost && /timed out/i.test(message);
  return silent ? new ConnectionFault('theirs', 'timeout') : new ConnectionFault('ours', 'proxy');
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : '';
}
