import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface ProxyBehaviour {
  readonly login?: { readonly user: string; readonly password: string };
  /** SOCKS5 reply code to every order, or to those for an address, instead of carrying it out. */
  readonly refuseWith?: number | Readonly<Record<string, number>>;
  /** Say nothing: to the first packet, or to the order. */
  readonly silentAt?: 'hello' | 'order';
  /** Hang up: on the first packet, or on the order. */
  readonly closeAt?: 'hello' | 'order';
  /** Wait for the host's first bytes and send them in the packet that grants the order. */
  readonly mergeGreeting?: boolean;
}

/** Just enough of RFC 1928 and RFC 1929 to go out over IPv4, and to fail in every way a proxy may. */
export class SocksProxy {
  /** `ip:port` of every order. */
  readonly orders: string[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly behaviour: ProxyBehaviour) {
    this.server = createServer((socket) => {
      this.keep(socket);
      socket.once('data', (hello) => this.onHello(socket, hello));
    });
  }

  static async start(behaviour: ProxyBehaviour = {}): Promise<SocksProxy> {
    const proxy = new SocksProxy(behaviour);
    proxy.server.listen({ host: '127.0.0.1', port: 0 });
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get openSockets(): number {
    return this.sockets.size;
  }

  async allClosed(): Promise<void> {
    await Promise.all([...this.sockets].map((socket) => new Promise((closed) => socket.once('close', closed))));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
  }

  private onHello(socket: Socket, hello: Buffer): void {
    const { login, silentAt, closeAt } = this.behaviour;
    if (closeAt === 'hello') socket.end();
    if (silentAt === 'hello' || closeAt === 'hello') return;
    if (login === undefined) {
      socket.write(Buffer.from([5, 0]));
      socket.once('data', (order) => this.onOrder(socket, order));
      return;
    }
    socket.write(Buffer.from([5, hello.subarray(2).includes(2) ? 2 : 0xff]));
    socket.once('data', (given) => {
      const user = given.subarray(2, 2 + (given[1] ?? 0)).toString();
      const password = given.subarray(3 + user.length).toString();
      const right = user === login.user && password === login.password;
      socket.write(Buffer.from([1, right ? 0 : 1]));
      socket.once('data', (order) => this.onOrder(socket, order));
    });
  }

  private onOrder(socket: Socket, order: Buffer): void {
    const host = order[3] === 1 ? [...order.subarray(4, 8)].join('.') : 'not an IPv4 address';
    const port = order.readUInt16BE(8);
    this.orders.push(`${host}:${port}`);
    const { refuseWith, silentAt, closeAt } = this.behaviour;
    if (closeAt === 'order') socket.end();
    if (silentAt === 'order' || closeAt === 'order') return;
    const refusal = typeof refuseWith === 'object' ? refuseWith[host] : refuseWith;
    if (refusal !== undefined) socket.end(granted(refusal));
    else this.carryOut(socket, host, port);
  }

  private carryOut(socket: Socket, host: string, port: number): void {
    const target = connect({ host, port });
    this.keep(target);
    target.once('error', () => socket.end(granted(5)));
    target.once('connect', () => {
      if (this.behaviour.mergeGreeting === true) {
        target.once('data', (greeting) => {
          socket.write(Buffer.concat([granted(0), greeting]));
          join(socket, target);
        });
        return;
      }
      socket.write(granted(0));
      join(socket, target);
    });
  }
}

function granted(code: number): Buffer {
  return Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 0]);
}

function join(one: Socket, other: Socket): void {
  one.pipe(other);
  other.pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}
