import type { Socket } from 'node:net';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { Clearance } from '../egress/clearance.js';
import { openClearedSocket } from '../egress/open-cleared-socket.js';
import type { PageOutcome, PageRequest } from './page.js';
import { readPage } from './read-page.js';
import { CertificateRefused, secureSocket } from './secure-socket.js';

export interface HttpsClientOptions {
  /** Default port: 443, except in laboratories. */
  readonly port: number;
  /** Returns whether an address may be connected to. */
  readonly clearance: Clearance;
}

/** Hosts may publish many addresses; more than these are not tried. */
const MAX_ADDRESSES = 3;
/** Time limit of one address, so that a dead one leaves time for the next. */
const CONNECT_MS = 5000;

/**
 * Fetches single pages from hosts that strangers or operators named: one connection each, to a cleared address, with a
 * checked certificate, no redirects, and limits of size and time.
 */
export class HttpsClient {
  constructor(private readonly options: HttpsClientOptions) {}

  /** Never rejects. Closes everything it opened. */
  async get(request: PageRequest): Promise<PageOutcome> {
    const over = new AbortController();
    const stop = (): void => over.abort();
    const timer = setTimeout(stop, request.timeoutMs);
    request.signal.addEventListener('abort', stop, { once: true });
    if (request.signal.aborted) stop();
    try {
      const connection = await this.connect(request, over.signal);
      return 'kind' in connection ? connection : await this.ask(connection, request, over.signal);
    } finally {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', stop);
    }
  }

  private async connect(
    { addresses, timeoutMs, port = this.options.port }: PageRequest,
    signal: AbortSignal,
  ): Promise<Socket | Exclude<PageOutcome, { kind: 'page' }>> {
    const { clearance } = this.options;
    const faults: ConnectionFault[] = [];
    for (const host of addresses.filter(clearance).slice(0, MAX_ADDRESSES)) {
      if (signal.aborted) break;
      try {
        return await openClearedSocket({ host, port }, clearance, Math.min(CONNECT_MS, timeoutMs), signal);
      } catch (error) {
        if (!(error instanceof ConnectionFault)) throw error;
        faults.push(error);
      }
    }
    if (faults.every(({ why }) => why === 'forbidden_address') && !signal.aborted) {
      return { kind: 'refused', why: 'address' };
    }
    return failed(
      'it could not be connected to',
      faults.some(({ blame }) => blame === 'ours'),
    );
  }

  private async ask(socket: Socket, request: PageRequest, signal: AbortSignal): Promise<PageOutcome> {
    const { host, port = this.options.port, plain = false } = request;
    // The socket's end ends everything that uses it.
    const onStop = (): void => void socket.destroy();
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    try {
      const ready = plain ? socket : await secureSocket(socket, host);
      return await readPage(ready, { ...request, port, usualPort: plain ? 80 : 443 });
    } catch (error) {
      if (error instanceof CertificateRefused) return { kind: 'refused', why: 'certificate' };
      return failed('TLS failed');
    } finally {
      signal.removeEventListener('abort', onStop);
      socket.destroy();
    }
  }
}

function failed(why: string, ours = false): PageOutcome & { kind: 'failed' } {
  return { kind: 'failed', why, ours };
}
