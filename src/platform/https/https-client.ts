import type { Socket } from 'node:net';
import { ConnectionFault } from '../../engine/smtp/egress.js';
import type { Clearance } from '../egress/clearance.js';
import { openClearedSocket } from '../egress/open-cleared-socket.js';
import type { PageOutcome, PageRequest } from './page.js';
import { readPage } from './read-page.js';
import { CertificateRefused, secureSocket } from './secure-socket.js';

export interface HttpsClientOptions {
  /** 443 but in laboratories. */
  readonly port: number;
  /** Which addresses may be connected to. */
  readonly clearance: Clearance;
}

/** Hosts publish many; who cannot be reached at these is not there. */
const MAX_ADDRESSES = 3;
/** For one address, so that a dead one leaves time for the next. */
const CONNECT_MS = 5000;

/**
 * Fetches single pages from hosts that strangers named: a connection for each, to a cleared address, certificate checked, no
 * redirect followed, sizes and time bounded.
 */
export class HttpsClient {
  constructor(private readonly options: HttpsClientOptions) {}

  /** Never rejects. Everything it opened is closed when it is over. */
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
    { addresses, timeoutMs }: PageRequest,
    signal: AbortSignal,
  ): Promise<Socket | Exclude<PageOutcome, { kind: 'page' }>> {
    const { port, clearance } = this.options;
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

  private async ask(socket: Socket, { host, path, maxOctets }: PageRequest, signal: AbortSignal): Promise<PageOutcome> {
    const { port } = this.options;
    // Whatever goes over it ends with it.
    const onStop = (): void => void socket.destroy();
    signal.addEventListener('abort', onStop, { once: true });
    if (signal.aborted) onStop();
    try {
      return await readPage(await secureSocket(socket, host), { host, port, path, maxOctets });
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
