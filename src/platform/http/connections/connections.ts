import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { Connection } from './connection.js';
import { CONNECTION_LIMITS, type ConnectionLimits } from './limits.js';
import { WaitingRoom } from './request-queue.js';

/** A connection and the list it stands in while it answers no request with a key in force. */
interface Entry {
  readonly connection: Connection;
  readonly idle: Set<Entry>;
  authenticated: boolean;
}

/** Share of the table from which on connections are closed to make room. */
const FULL_SHARE = 0.75;

/**
 * The connections of a process. Whoever opens too many closes no door to others: when the table is three quarters full, those
 * are closed that have gone longest without an answer to a key in force, those of balancers last.
 */
export class Connections {
  private readonly bySocket = new Map<Socket, Entry>();
  /** Those that answer no request with a key in force, the oldest first. */
  private readonly strangers = new Set<Entry>();
  private readonly balancers = new Set<Entry>();
  private readonly room: WaitingRoom;
  private readonly trusted: BlockList;
  private stopping = false;

  /** @param trustedProxies addresses and networks of balancers */
  constructor(
    trustedProxies: readonly string[],
    private readonly limits: ConnectionLimits = CONNECTION_LIMITS,
  ) {
    this.room = new WaitingRoom(limits.waitingOfAll);
    this.trusted = blockListOf(trustedProxies);
  }

  /** To be called before the server has connections. */
  serve(server: Server): void {
    server.maxConnections = this.limits.connections;
    // A client that has said all it has to say still reads its answer.
    (server as { httpAllowHalfOpen?: boolean }).httpAllowHalfOpen = true;
    server.on('connection', (socket: Socket) => this.open(socket));
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      this.bySocket.get(request.socket)?.connection.begin(request, response);
    });
  }

  /** The request that the socket is answering has shown a key in force. */
  authenticated(socket: Socket): void {
    const entry = this.bySocket.get(socket);
    if (entry === undefined) return;
    entry.authenticated = true;
    entry.idle.delete(entry);
  }

  /** Answers what Node's parser gave up on. */
  refuse(error: NodeJS.ErrnoException, socket: Socket): void {
    this.bySocket.get(socket)?.connection.refuse(error);
  }

  /** Ends those on which nothing is answered; the others end with their answer. */
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
