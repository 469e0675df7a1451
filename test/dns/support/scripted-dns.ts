import { createSocket, type RemoteInfo, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { decode, encode, RECURSION_AVAILABLE, type Answer, type DecodedPacket, type Packet } from 'dns-packet';
import { listeningOnBoth } from '../../lab/loopback.js';

export interface Asked {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly transport: 'udp' | 'tcp';
  readonly query: DecodedPacket;
  /** How often this name and type was asked before, over either transport. */
  readonly before: number;
  /** Source port, over UDP. */
  readonly port: number;
}

/** Messages to send back, in order; none is silence. */
export type Reply = readonly Buffer[];
export type Script = (asked: Asked, server: ScriptedDns) => Reply;

/** A name server that does exactly what a function says, lies and broken messages included. UDP and TCP, one port. */
export class ScriptedDns {
  readonly asked: Asked[] = [];
  script: Script;
  /** For scripts: closes the TCP connection in the place of a message. */
  readonly hangUp = Buffer.alloc(0);
  /** For scripts that answer over TCP alone. */
  bigReply: (asked: Asked) => Reply = () => [];
  private readonly listeners = new Set<() => void>();
  private readonly tcp: Server;
  private readonly connections = new Set<Socket>();

  private constructor(
    private readonly udp: DatagramSocket,
    script: Script,
  ) {
    this.script = script;
    udp.on('message', (bytes, from) => {
      const reply = this.handle(bytes, 'udp', from);
      for (const message of reply) udp.send(message, from.port, from.address);
    });
    this.tcp = createServer((socket) => this.serve(socket));
  }

  static async start(script: Script, address = '127.0.0.1'): Promise<ScriptedDns> {
    const udp = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    const server = new ScriptedDns(udp, script);
    try {
      await listeningOnBoth(server.tcp, udp, address);
      return server;
    } catch (error) {
      udp.close();
      throw error;
    }
  }

  get at(): { address: string; port: number } {
    const { address, port } = this.udp.address();
    return { address, port };
  }

  count(name: string, type: string): number {
    return this.asked.filter((asked) => asked.name.toLowerCase() === name && asked.type === type).length;
  }

  /** Answers a query later, or once more. */
  reply(asked: Asked, bytes: Buffer): void {
    this.udp.send(bytes, asked.port, this.at.address);
  }

  /** Waits until this question has been asked. */
  async heard(name: string, type: string): Promise<void> {
    while (this.count(name, type) === 0) {
      await new Promise<void>((resolve) => {
        this.listeners.add(resolve);
      });
    }
  }

  /** Sends bytes to a client from a port that nobody asked. */
  async forge(asked: Asked, bytes: Buffer): Promise<void> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => {
      socket.send(bytes, asked.port, this.at.address, () => resolve());
    });
    socket.close();
  }

  async stop(): Promise<void> {
    for (const socket of this.connections) socket.destroy();
    this.tcp.close();
    this.udp.close();
    await Promise.all([once(this.tcp, 'close'), once(this.udp, 'close')]);
  }

  private serve(socket: Socket): void {
    this.connections.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.connections.delete(socket));
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      if (pending.length < 2 || pending.length < 2 + pending.readUInt16BE(0)) return;
      const reply = this.handle(pending.subarray(2), 'tcp');
      pending = Buffer.alloc(0);
      for (const message of reply) {
        if (message === this.hangUp) socket.end();
        else socket.write(message);
      }
    });
  }

  private handle(bytes: Buffer, transport: Asked['transport'], from?: RemoteInfo): Reply {
    const query = decode(bytes) as DecodedPacket & { id: number };
    const { name, type } = query.questions![0]!;
    const before = this.count(name.toLowerCase(), type);
    const asked: Asked = { id: query.id, name, type, transport, query, before, port: from?.port ?? 0 };
    this.asked.push(asked);
    for (const listener of this.listeners) listener();
    this.listeners.clear();
    return this.script(asked, this);
  }
}

export interface ReplyParts {
  readonly rcode?: number;
  /** Beside QR, RD and RA. */
  readonly flags?: number;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
  readonly additionals?: readonly Answer[];
}

/** A well-formed answer to what was asked. */
export function answer(asked: Pick<Asked, 'id' | 'name' | 'type'>, parts: ReplyParts = {}): Buffer {
  const { rcode = 0, flags = 0, answers = [], authorities = [], additionals = [] } = parts;
  return encode({
    type: 'response',
    id: asked.id,
    flags: RECURSION_AVAILABLE | flags | rcode,
    questions: [{ name: asked.name, type: asked.type }] as Packet['questions'],
    answers: [...answers],
    authorities: [...authorities],
    additionals: [...additionals],
  });
}

/** A message behind its length, as TCP carries it. */
export function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

export function soa(zone: string, ttl = 60, minimum = 30): Answer {
  const data = {
    mname: 'ns.example',
    rname: 'hostmaster.example',
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum,
  };
  return { type: 'SOA', name: zone, ttl, data };
}

export const a = (name: string, address: string, ttl = 300): Answer => ({ type: 'A', name, ttl, data: address });
export const cname = (name: string, target: string, ttl = 300): Answer => ({ type: 'CNAME', name, ttl, data: target });
export const mx = (name: string, preference: number, exchange: string, ttl = 300): Answer => {
  return { type: 'MX', name, ttl, data: { preference, exchange } };
};
