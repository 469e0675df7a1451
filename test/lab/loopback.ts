import type { Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Port numbers that are tried. */
const MAX_ATTEMPTS = 10;

/**
 * Addresses of one laboratory, all in 127.0.0.0/8, which is loopback as a whole on Linux. Each laboratory starts at a
 * random place, so that several run on one machine; a collision shows as EADDRINUSE, and the laboratory moves on.
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

/** Waits until a server listens, and gives the port. Rejects with what the system says, EADDRINUSE for one. */
export function listening(server: Server, address: string, port: number, backlog?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(explained(error, address)));
    server.listen({ host: address, port, backlog }, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Waits until a server and a socket have the same port, any by default, for TCP and UDP, and gives it: a number that is free
 * for the one may be taken for the other, by a resolver at work for example. Rejects as `listening` does, for a port that was
 * asked for or after ten others; the server is closed then, the socket is the caller's to close.
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

/** Closes a listener whether it listens or not. Connections are the caller's to destroy. */
export function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
  });
}

/** The port is used by somebody else on this address. */
export function isTaken(error: unknown): boolean {
  return hasCode(error, 'EADDRINUSE');
}

/** Not by `instanceof Error`: inside jest the errors of Node itself are of another realm. */
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
