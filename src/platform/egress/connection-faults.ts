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
 * gone, no IPv6, no file handles, our own firewall. No verdict is better than a wrong one. ENETUNREACH is the host's
 * only if our machine has a route (`hasRoute`).
 */
export async function directFault(error: unknown, hasRoute: () => Promise<boolean>): Promise<ConnectionFault> {
  if (error instanceof ConnectTimeout) return new ConnectionFault('theirs', 'timeout');
  const code = codeOf(error);
  if (code === 'ENETUNREACH') return new ConnectionFault((await hasRoute()) ? 'theirs' : 'ours', 'unreachable');
  const why = THEIRS[code];
  return why === undefined ? new ConnectionFault('ours', 'local') : new ConnectionFault('theirs', why);
}

/** Reply texts of a SOCKS5 proxy that concern the mail host (RFC 1928 6); any other refusal concerns the proxy. */
const PROXY_WORDS: Readonly<Record<string, ConnectionFault['why']>> = {
  ConnectionRefused: 'refused',
  HostUnreachable: 'unreachable',
  TTLExpired: 'timeout',
};

/**
 * The fault behind a failed SOCKS handshake. `socks` distinguishes refusals only by text, so this reads the part after
 * its last hyphen. `waitedForHost`: the proxy had accepted our request and was silent, so the mail host does not
 * answer. "Network unreachable" is blamed on the proxy: it may have no network at all.
 */
export function socksFault(message: string, waitedForHost: boolean): ConnectionFault {
  const word = /rejected connection - (\w+)$/i.exec(message)?.[1] ?? '';
  const why = PROXY_WORDS[word];
  if (why !== undefined) return new ConnectionFault('theirs', why);
  const silent = /timed out/i.test(message);
  return silent && waitedForHost ? new ConnectionFault('theirs', 'timeout') : new ConnectionFault('ours', 'proxy');
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : '';
}
