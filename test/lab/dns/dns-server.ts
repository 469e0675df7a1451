import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import * as dns from 'dns-packet';
import { closed, listeningOnBoth } from '../loopback.js';
import { answerQuestion, canonical, findFault, RCODE, type Answered } from './answer.js';
import type { DnsData, DnsFault } from './dns-data.js';

type Transport = 'udp' | 'tcp';
type Query = dns.DecodedPacket & { readonly id: number };

/** What our own answers promise to take over UDP (RFC 9715). */
const OWN_UDP_SIZE = 1232;
/** Without EDNS (RFC 1035 4.2.1). */
const PLAIN_UDP_SIZE = 512;
const TCP_IDLE_MS = 10_000;
/** Holds the questions that come while the process is busy. The usual size takes fewer than 300, and the others are lost. */
const RECEIVE_BUFFER_SIZE = 4 * 1024 * 1024;

/**
 * A name server for tests: acts as a recursive resolver that sees its own internet, and misbehaves as its data say.
 * Serves UDP and TCP on one address and port, and counts questions.
 */
export class DnsServer {
  private readonly udp: DatagramSocket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_SIZE });
  private readonly tcp: Server = createServer((socket) => this.serve(socket));
  private readonly connections = new Set<Socket>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly asked = new Map<string, number>();
  private readonly firstAsked = new Map<string, number>();
  private stopped = false;

  private constructor(
    private data: DnsData,
    readonly address: string,
  ) {
    this.udp.on('message', (bytes, from) => {
      this.handle(bytes, 'udp', (answer) => this.udp.send(answer, from.port, from.address));
    });
    // A client that has gone away is no fault of the server.
    this.udp.on('error', () => undefined);
  }

  /** Starts on `port`, or on any free one. */
  static async start(data: DnsData, address: string, port = 0): Promise<DnsServer> {
    const server = new DnsServer(data, address);
    try {
      await listeningOnBoth(server.tcp, server.udp, address, port);
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  get port(): number {
    return this.udp.address().port;
  }

  /** Uses other data from the next question on. Counters and fault clocks continue. */
  replaceData(data: DnsData): void {
    this.data = data;
  }

  /** Number of questions for a name, of one type or of all, unanswered ones included. */
  queryCount(name: string, type?: string): number {
    if (type !== undefined) return this.asked.get(`${canonical(name)} ${type}`) ?? 0;
    return [...this.asked].reduce((sum, [key, n]) => (key.startsWith(`${canonical(name)} `) ? sum + n : sum), 0);
  }

  /** Number of questions for any name. */
  get totalQueries(): number {
    return [...this.asked.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Safe to call twice. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    for (const socket of this.connections) socket.destroy();
    await closed(this.tcp);
    await new Promise<void>((resolve) => {
      this.udp.close(() => resolve());
    });
  }

  private serve(socket: Socket): void {
    this.connections.add(socket);
    socket.setTimeout(TCP_IDLE_MS, () => socket.destroy());
    socket.on('error', () => undefined);
    socket.on('close', () => this.connections.delete(socket));
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      // RFC 1035 4.2.2: each message behind its length.
      while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0);
        this.handle(pending.subarray(2, end), 'tcp', (answer) => {
          const length = Buffer.alloc(2);
          length.writeUInt16BE(answer.length);
          if (socket.writable) socket.write(Buffer.concat([length, answer]));
        });
        pending = pending.subarray(end);
      }
    });
  }

  private handle(bytes: Buffer, transport: Transport, send: (answer: Buffer) => void): void {
    let query: Query;
    try {
      query = dns.decode(bytes) as Query;
    } catch {
      return;
    }
    const question = query.questions?.[0];
    if (query.flag_qr || question === undefined) return;

    const key = `${canonical(question.name)} ${question.type}`;
    const nth = (this.asked.get(key) ?? 0) + 1;
    this.asked.set(key, nth);

    const found = findFault(this.data, question.name, question.type);
    const fault = found?.fault ?? {};
    if (fault.silent === true || nth <= (fault.dropFirst ?? 0)) return;
    const firstAskedAt = found === null ? 0 : this.sinceFirst(found.at);
    this.later(fault.delayMs ?? 0, () => {
      for (const answer of this.answersTo(query, question, fault, firstAskedAt, transport)) send(answer);
    });
  }

  /** The messages to send back, in order. */
  private answersTo(
    query: Query,
    question: dns.Question,
    fault: DnsFault,
    firstAskedAt: number,
    transport: Transport,
  ): Buffer[] {
    const failing = performance.now() - firstAskedAt < (fault.servfailForMs ?? 0);
    const right = (): Buffer => {
      if (fault.refused === true) return message(query, failure(RCODE.refused), transport);
      const broken = fault.servfail === true || failing || (fault.bogus === true && !query.flag_cd);
      if (broken) return message(query, failure(RCODE.serverFailure), transport);
      return message(query, answerQuestion(this.data, question.name, question.type), transport, fault);
    };
    const wrong = wrongAnswer(query, question, fault);
    if (wrong === null) return [right()];
    return fault.thenRight === true ? [wrong, right()] : [wrong];
  }

  private sinceFirst(at: string): number {
    const first = this.firstAsked.get(at) ?? performance.now();
    this.firstAsked.set(at, first);
    return first;
  }

  private later(ms: number, work: () => void): void {
    if (ms === 0) return work();
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, ms);
    this.timers.add(timer);
  }
}

function failure(rcode: number): Answered {
  return { rcode, answers: [], authorities: [], secure: false };
}

/** Encodes an answer; over UDP becomes an empty one with the TC bit if the client cannot take it whole. */
function message(query: Query, answered: Answered, transport: Transport, fault: DnsFault = {}): Buffer {
  const edns = query.additionals?.find((record) => record.type === 'OPT');
  const limit = Math.max(PLAIN_UDP_SIZE, edns?.udpPayloadSize ?? 0);
  const wantsAuthenticity = query.flag_ad || (edns?.flag_do ?? false);
  const flags =
    (fault.withoutRecursion === true ? 0 : dns.RECURSION_AVAILABLE) |
    (query.flag_rd ? dns.RECURSION_DESIRED : 0) |
    (query.flag_cd ? dns.CHECKING_DISABLED : 0) |
    (answered.secure && wantsAuthenticity ? dns.AUTHENTIC_DATA : 0) |
    answered.rcode;
  const head: dns.Packet = {
    type: 'response',
    id: query.id,
    flags,
    questions: query.questions,
    additionals: edns === undefined ? [] : [{ ...edns, udpPayloadSize: OWN_UDP_SIZE, options: extendedErrors(fault) }],
  };
  const whole = { ...head, answers: [...answered.answers], authorities: [...answered.authorities] };
  const bytes = dns.encode(whole);
  if (transport === 'tcp' || (bytes.length <= limit && fault.truncate !== true)) return bytes;
  return dns.encode({ ...head, flags: flags | dns.TRUNCATED_RESPONSE });
}

function extendedErrors({ extendedError: code }: DnsFault): dns.PacketOpt[] {
  return code === undefined
    ? []
    : [{ code: 15, data: Buffer.from([code >> 8, code & 0xff]) } as unknown as dns.PacketOpt];
}

function wrongAnswer(query: Query, question: dns.Question, fault: DnsFault): Buffer | null {
  if (fault.garbage === true) {
    const bytes = Buffer.alloc(40, 0xff);
    bytes.writeUInt16BE(query.id);
    return bytes;
  }
  const forged: Answered = {
    rcode: RCODE.noError,
    answers: [{ type: 'A', name: question.name, ttl: 60, data: '192.0.2.66' }],
    authorities: [],
    secure: false,
  };
  if (fault.wrongId === true) return message({ ...query, id: (query.id + 1) % 65_536 }, forged, 'tcp');
  if (fault.wrongQuestion === true) {
    return message({ ...query, questions: [{ ...question, name: `not.${question.name}` }] }, forged, 'tcp');
  }
  return null;
}
