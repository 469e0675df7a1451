import { isIP, type Socket } from 'node:net';
import { findHostAddresses } from '../../engine/dns/host-addresses.js';
import type { Resolver } from '../../engine/dns/resolver.js';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { Clearance } from '../egress/clearance.js';
import { openClearedSocket } from '../egress/open-cleared-socket.js';
import { exchange, failed, type HttpsOutcome, type HttpsRequest } from './http-exchange.js';
import { CertificateRefused, secureSocket } from './secure-socket.js';

export interface HttpsClientOptions {
  readonly resolver: Resolver;
  /** Returns whether an address may be connected to. */
  readonly clearance: Clearance;
  /** Default port: 443, except in laboratories. */
  readonly port?: number;
}

type Asked = HttpsRequest & { readonly port: number };

/** Hosts may publish many addresses; more than these are not tried. */
const MAX_ADDRESSES = 3;
/** Time limit of one address, so that a dead one leaves time for the next. */
const CONNECT_MS = 5000;

/**
 * Asks hosts that strangers or operators named: one connection each, to a cleared address, with a checked certificate, no
 * redirects, and limits of size and time (decisions 6.2).
 */
export class HttpsClient {
  constructor(private readonly options: HttpsClientOptions) {}

  /** Never rejects. Closes everything it opened. */
  async ask(request: HttpsRequest): Promise<HttpsOutcome> {
    const asked = { ...request, port: request.port ?? this.options.port ?? 443 };
    const addresses = await this.addressesOf(asked);
    if ('kind' in addresses) return addresses;
    const connection = await this.connect(addresses, asked);
    return 'kind' in connection ? connection : within(connection, asked);
  }

  private async addressesOf({ host, deadline }: Asked): Promise<readonly string[] | HttpsOutcome> {
    if (isIP(host) !== 0) return [host];
    const { resolver, clearance } = this.options;
    const found = await findHostAddresses(resolver, host, { allowed: clearance, alsoIpv6: false }, { deadline });
    if (found.kind === 'addresses') return found.addresses;
    if (found.kind === 'none') return { kind: 'refused', why: found.refused.length > 0 ? 'address' : 'no_address' };
    return failed('the DNS does not say where it is', { ours: found.blame === 'resolver', dns: true });
  }

  private async connect(addresses: readonly string[], { port, deadline }: Asked): Promise<Socket | HttpsOutcome> {
    const { clearance } = this.options;
    const faults: ConnectionFault[] = [];
    for (const host of addresses.slice(0, MAX_ADDRESSES)) {
      if (deadline.expired) break;
      try {
        return await openClearedSocket({ host, port }, clearance, deadline.capMs(CONNECT_MS), deadline.signal);
      } catch (error) {
        if (!(error instanceof ConnectionFault)) throw error;
        faults.push(error);
      }
    }
    if (faults.every(({ why }) => why === 'forbidden_address') && !deadline.expired) {
      return { kind: 'refused', why: 'address' };
    }
    return failed('it could not be connected to', { ours: faults.some(({ blame }) => blame === 'ours') });
  }
}

async function within(socket: Socket, asked: Asked): Promise<HttpsOutcome> {
  const { signal } = asked.deadline;
  // The socket's end ends everything that uses it.
  const onStop = (): void => void socket.destroy();
  signal.addEventListener('abort', onStop, { once: true });
  if (signal.aborted) onStop();
  try {
    return await exchange(asked.plain === true ? socket : await secureSocket(socket, asked.host), asked);
  } catch (error) {
    return error instanceof CertificateRefused ? { kind: 'refused', why: 'certificate' } : failed('TLS failed');
  } finally {
    signal.removeEventListener('abort', onStop);
    socket.destroy();
  }
}
