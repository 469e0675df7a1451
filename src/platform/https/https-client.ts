import type { Socket } from 'node:net';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { Clearance } from '../egress/clearance.js';
import { openClearedSocket } from '../egress/open-cleared-socket.js';
import type { Authority } from './ask.js';
import { type PageOutcome, type PageRequest, readPage } from './read-page.js';
import { postMessage, type PostOutcome, type PostRequest } from './post-message.js';
import { CertificateRefused, secureSocket } from './secure-socket.js';

export interface HttpsClientOptions {
  /** Default port: 443, except in laboratories. */
  readonly port: number;
  /** Returns whether an address may be connected to. */
  readonly clearance: Clearance;
}

type ConnectionTarget = Pick<PageRequest, 'host' | 'port' | 'plain' | 'addresses' | 'deadline'>;

type NoConnection =
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' }
  | { readonly kind: 'failed'; readonly why: string; readonly ours: boolean };

/** Never rejects. */
type UseConnection<T> = (socket: Socket, authority: Authority) => Promise<T>;

/** Hosts may publish many addresses; more than these are not tried. */
const MAX_ADDRESSES = 3;
/** Time limit of one address, so that a dead one leaves time for the next. */
const CONNECT_MS = 5000;

/**
 * Fetches pages from hosts that strangers or operators named, and sends messages to them: one connection each, to a
 * cleared address, with a checked certificate, no redirects, and limits of size and time.
 */
export class HttpsClient {
  constructor(private readonly options: HttpsClientOptions) {}

  /** Never rejects. Closes everything it opened. */
  get(request: PageRequest): Promise<PageOutcome> {
    return this.within(request, (socket, authority) => readPage(socket, { ...request, ...authority }));
  }

  /** Never rejects. Closes everything it opened. */
  post(request: PostRequest): Promise<PostOutcome> {
    return this.within(request, (socket, authority) => postMessage(socket, { ...request, ...authority }));
  }

  /** @param use speaks HTTP on the connection */
  private async within<T>(target: ConnectionTarget, use: UseConnection<T>): Promise<T | NoConnection> {
    const connection = await this.connect(target);
    return 'kind' in connection ? connection : this.ask(connection, target, use);
  }

  private async connect({
    addresses,
    deadline,
    port = this.options.port,
  }: ConnectionTarget): Promise<Socket | NoConnection> {
    const { clearance } = this.options;
    const faults: ConnectionFault[] = [];
    for (const host of addresses.filter(clearance).slice(0, MAX_ADDRESSES)) {
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
    return failed(
      'it could not be connected to',
      faults.some(({ blame }) => blame === 'ours'),
    );
  }

  private async ask<T>(
    socket: Socket,
    { host, port = this.options.port, plain = false, deadline: { signal } }: ConnectionTarget,
    use: UseConnection<T>,
  ): Promise<T | NoConnection> {
    // The socket's end ends everything that uses it.
    const onStop = (): void => void socket.destroy();
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    try {
      const ready = plain ? socket : await secureSocket(socket, host);
      return await use(ready, { host, port, usualPort: plain ? 80 : 443 });
    } catch (error) {
      if (error instanceof CertificateRefused) return { kind: 'refused', why: 'certificate' };
      return failed('TLS failed');
    } finally {
      signal.removeEventListener('abort', onStop);
      socket.destroy();
    }
  }
}

function failed(why: string, ours = false): NoConnection {
  return { kind: 'failed', why, ours };
}
