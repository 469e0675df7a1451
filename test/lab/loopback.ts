import type { Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Number of ports tried. */
const MAX_ATTEMPTS = 10;

/**
 * Addresses of one lab, all in 127.0.0.0/8, which is all loopback on Linux. Each lab starts at a random address, so
 * that several run on one machine; after a collision (EADDRINUSE) the lab tries others.
 */
export class LoopbackRange {
  private readonly second = 16 + Math.floor(Math.random() * 224);
  private readonly third = Math.floor(Math.random() * 192);
  private given = 0;

  /** The next free address. */
  next(): string {
    const place = this.given;
    this.given += 1;
    return `127.${this.second}.${this.third + Math.floor(place / 250)}.${(place % 250) + 1}`;
  }
}

/** Waits until a server listens and returns its port. Rejects with the system's error, such as EADDRINUSE. */
export function listening(server: Server, address: string, port: number, backlog?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, address)));
    server.listen({ host: address, port, backlog }, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Binds a TCP server and a UDP socket to the same port, any by default, and returns it: a number that is free for one
 * may be taken for the other. Rejects like `listening`, for a requested port at once, else after ten attempts; then the
 * server is closed, and the caller must close the socket.
 */
export async function listeningOnBoth(
  server: Server,
  socket: DatagramSocket,
  address: string,
  port = 0,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const chosen = await listening(server, address, port);
    try {
      socket.bind(chosen, address);
      await once(socket, 'listening');
      return chosen;
    } catch (error) {
      await closed(server);
      if (port !== 0 || attempt === MAX_ATTEMPTS || !isTaken(error)) throw error;
    }
  }
}

/** Closes a listener, listening or not. The caller must destroy its connections. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** True if the port is in use on this address. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, 'EADDRINUSE');
}

/** Not `instanceof Error`: inside Jest, Node's own errors belong to another realm. */
export function hasCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}

function explained(error: NodeJS.ErrnoException, address: string): Error {
  if (error.code !== 'EADDRNOTAVAIL') return error;
  return new Error(
    `The laboratory gives each of its servers a loopback address of its own, and ${address} cannot be used here. ` +
      'Linux has all of 127.0.0.0/8; elsewhere add aliases to the loopback interface, or run in a Linux container.',
    { cause: error },
  );
}
