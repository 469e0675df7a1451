import { connect, type Socket } from 'node:net';

export interface SocketTarget {
  readonly host: string;
  readonly port: number;
  /** Source address; any when left out. */
  readonly localAddress?: string | undefined;
}

/** The connection was not open in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/**
 * Opens a TCP connection. Rejects with the system's error, or with `ConnectTimeout` after `timeoutMs` or when `signal`
 * aborts, after destroying the socket.
 */
export function openSocket(target: SocketTarget, timeoutMs: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new ConnectTimeout());
      return;
    }
    const { host, port, localAddress } = target;
    const socket = connect({ host, port, noDelay: true, ...(localAddress === undefined ? {} : { localAddress }) });
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onTimeout);
      socket.off('connect', onConnect);
      socket.off('error', onError);
      // A reset before the owner adds its own listener must not end the process.
      socket.on('error', () => undefined);
      outcome();
    };
    const onConnect = (): void => settle(() => resolve(socket));
    const onError = (error: Error): void => settle(() => reject(error));
    const onTimeout = (): void => {
      settle(() => reject(new ConnectTimeout()));
      socket.destroy();
    };
    const timer = setTimeout(onTimeout, timeoutMs);
    signal.addEventListener('abort', onTimeout);
    socket.on('connect', onConnect);
    socket.on('error', onError);
  });
}
