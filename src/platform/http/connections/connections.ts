import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { Connection } from './connection.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.js';
import { WaitingRequestLimit } from './request-queue.js';

/** A connection, and its place in the eviction list while it answers no request with a valid key. */
interface Entry {
  readonly connection: Connection;
  readonly idle: Set<Entry>;
  authenticated: boolean;
}

/** Above this share of the limit, connections are closed to make room. */
const FULL_SHARE = 0.75;

/**
 * The connections of a process. A client that opens too many cannot lock out others: above three quarters of the limit,
 * the connections that have gone longest without a request with a valid key are closed, those of balancers last.
 */
export class Connections {
  private readonly bySocket = new Map<Socket, Entry>();
  /** Connections that answer no request with a valid key, oldest first. */
  private readonly strangers = new Set<Entry>();
  private readonly balancers = new Set<Entry>();
  private readonly room: WaitingRequestLimit;
  private readonly trusted: BlockList;
  private stopping = false;

  /** @param trustedProxies addresses and networks of balancers */
  constructor(
    trustedProxies: readonly string[],
    private readonly limits: ConnectionLimits = CONNECTION_LIMITS,
  ) {
    this.room = new WaitingRequestLimit(limits.waitingOfAll);
    this.trusted = blockListOf(trustedProxies);
  }

  /** Call it before the server accepts connections. */
  serve(server: Server): void {
    server.maxConnections = this.limits.connections;
    // A client that has closed its side still reads its answer.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    server.on('connection', (socket: Socket) => this.open(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.bySocket.get(request.socket)?.connection.begin(request, response);
    });
  }

  /** The request on this socket has a valid key. */
  authenticated(socket: Socket): void {
    const entry = this.bySocket.get(socket);
    if (entry === undefined) return;
    entry.authenticated = true;
    entry.idle.delete(entry);
  }

  /** Answers a parser error. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    this.bySocket.get(socket)?.connection.refuse(error);
  }

  /** Closes idle connections; busy ones close after their answer. */
  stop(): void {
    this.stopping = true;
    for (const { connection } of this.bySocket.values()) connection.stop();
  }

  private open(socket: Socket): void {
    const idle = this.isBalancer(socket) ? this.balancers : this.strangers;
    const connection = new Connection(socket, this.limits, this.room, () => this.rest(entry));
    const entry: Entry = { connection, idle, authenticated: false };
    this.bySocket.set(socket, entry);
    idle.add(entry);
    socket.once('close', () => {
      this.bySocket.delete(socket);
      idle.delete(entry);
    });
    if (this.stopping) connection.stop();
    else if (this.bySocket.size > this.limits.connections * FULL_SHARE) this.closeOldest();
  }

  private rest(entry: Entry): void {
    if (this.stopping) entry.connection.stop();
    if (!entry.authenticated) return;
    entry.authenticated = false;
    entry.idle.add(entry);
  }

  private closeOldest(): void {
    const [oldest] = this.strangers.size > 0 ? this.strangers : this.balancers;
    if (oldest === undefined) return;
    oldest.idle.delete(oldest);
    oldest.connection.destroy();
  }

  private isBalancer({ remoteAddress = '', remoteFamily }: Socket): boolean {
    return this.trusted.check(remoteAddress, remoteFamily === 'IPv6' ? 'ipv6' : 'ipv4');
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) blocks.addAddress(address, family);
    else blocks.addSubnet(address, Number(bits), family);
  }
  return blocks;
}
