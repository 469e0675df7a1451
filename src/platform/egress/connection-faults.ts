import { ConnectionFault } from '../../engine/smtp/egress.js';
import { ConnectTimeout } from './open-socket.js';

/** Errors of the system that say something about the mail host. */
const THEIRS: Readonly<Record<string, ConnectionFault['why']>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
};

/**
 * Who is to blame for a connection that failed. What is not known to be the mail host's doing is ours: source address gone,
 * no IPv6 here, no file handles, a firewall of our own. Better no verdict than a wrong one. ENETUNREACH is theirs only
 * where our own machine has a route (`hasRoute`).
 */
export async function directFault(error: unknown, hasRoute: () => Promise<boolean>): Promise<ConnectionFault> {
  if (error instanceof ConnectTimeout) return new ConnectionFault('theirs', 'timeout');
  const code = codeOf(error);
  if (code === 'ENETUNREACH') return new ConnectionFault((await hasRoute()) ? 'theirs' : 'ours', 'unreachable');
  const why = THEIRS[code];
  return why === undefined ? new ConnectionFault('ours', 'local') : new ConnectionFault('theirs', why);
}

/** What a SOCKS5 proxy may say of the mail host (RFC 1928 6); any other refusal of a proxy speaks of the proxy. */
const PROXY_WORDS: Readonly<Record<string, ConnectionFault['why']>> = {
  ConnectionRefused: 'refused',
  HostUnreachable: 'unreachable',
  TTLExpired: 'timeout',
};

/**
 * The fault behind a failed SOCKS handshake. `socks` tells refusals apart by text alone, so this reads the word behind its
 * last hyphen. `waitedForHost`: the proxy had taken our order and was silent on it: then it is the mail host that does not
 * answer. "Network unreachable" is the proxy's own: it cannot be told whether it has a network at all.
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
