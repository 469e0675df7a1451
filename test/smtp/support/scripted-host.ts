import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket, type SecureContextOptions } from 'node:tls';
import { LABORATORY_CERTIFICATE, LABORATORY_KEY } from '../../lab/smtp/certificate.js';

/** What a host does instead of, or after, answering. */
export interface Say {
  /** Bytes to send; a line end is added unless `raw`. Null: stay silent. */
  readonly text: string | Buffer | null;
  readonly raw?: boolean;
  /** Send each of these pieces in a packet of its own. */
  readonly pieces?: readonly (string | Buffer)[];
  readonly delayMs?: number;
  readonly after?: 'close' | 'reset' | 'tls' | 'junk';
}

export type Answer = string | Say;

/** How a host behaves, command by command; what is left out is a plain, healthy mail server's answer. */
export interface Behaviour {
  readonly greeting?: Answer | ((visit: Visit) => Answer);
  readonly ehlo?: Answer | ((name: string) => Answer);
  readonly helo?: Answer;
  readonly starttls?: Answer;
  /** The versions and ciphers it knows, where they are not the usual ones. */
  readonly tls?: SecureContextOptions;
  readonly mail?: Answer | ((line: string, visit: Visit) => Answer);
  readonly rset?: Answer;
  /** `nth` counts the recipients of the session from 1. */
  readonly rcpt?: Answer | ((path: string, nth: number, visit: Visit) => Answer);
  /** Each flight of commands is answered in one packet. */
  readonly coalesce?: boolean;
}

/** One connection as the host saw it. */
export interface Visit {
  readonly index: number;
  readonly commands: string[];
  /** Number of packets from the client before QUIT. */
  flights: number;
  tls: boolean;
  serverName: string | null;
  spokeEarly: boolean;
}

export const EHLO_PLAIN = '250-mx.example.test\r\n250 SIZE 1000000';
export const EHLO_PIPELINING = '250-mx.example.test\r\n250-PIPELINING\r\n250 8BITMIME';

/** A mail host under a script, on a loopback address of its own. */
export class ScriptedHost {
  readonly visits: Visit[] = [];
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly behaviour: Behaviour) {
    this.server = createServer((socket) => this.welcome(socket));
  }

  static async start(behaviour: Behaviour, port = 0): Promise<ScriptedHost> {
    const host = new ScriptedHost(behaviour);
    host.server.listen({ host: `127.${randomInt(20, 250)}.${randomInt(0, 250)}.${randomInt(1, 250)}`, port });
    await once(host.server, 'listening');
    return host;
  }

  get address(): string {
    return (this.server.address() as AddressInfo).address;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get openSockets(): number {
    return this.sockets.size;
  }

  get commands(): string[] {
    return this.visits.flatMap((visit) => visit.commands);
  }

  /** Resolves when every connection it ever had is closed. */
  async allClosed(): Promise<void> {
    await Promise.all([...this.sockets].map((socket) => new Promise((closed) => socket.once('close', closed))));
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private welcome(socket: Socket): void {
    const visit: Visit = {
      index: this.visits.length,
      commands: [],
      flights: 0,
      tls: false,
      serverName: null,
      spokeEarly: false,
    };
    this.visits.push(visit);
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => undefined);
    void this.serve(socket, visit);
  }

  private async serve(plain: Socket, visit: Visit): Promise<void> {
    let socket = plain;
    let greeted = false;
    let rest = '';
    let recipients = 0;
    let turn = Promise.resolve();
    const onData = (chunk: Buffer): void => {
      if (!greeted) visit.spokeEarly = true;
      rest += chunk.toString('utf8');
      const lines = rest.split('\r\n');
      rest = lines.pop() ?? '';
      if (!lines.every((line) => line === 'QUIT')) visit.flights += 1;
      visit.commands.push(...lines);
      turn = turn.then(() => answerAll(lines));
    };
    const answerAll = async (lines: readonly string[]): Promise<void> => {
      if (this.behaviour.coalesce === true) socket.cork();
      for (const line of lines) {
        if (/^RCPT /i.test(line)) recipients += 1;
        const answer = this.answerTo(line, recipients, visit);
        await say(socket, answer);
        if (typeof answer !== 'string' && answer.after === 'tls') await goSecure();
        if (/^QUIT/i.test(line)) socket.end();
      }
      socket.uncork();
    };
    const goSecure = async (): Promise<void> => {
      socket.off('data', onData);
      const secure = new TLSSocket(socket, {
        isServer: true,
        key: LABORATORY_KEY,
        cert: LABORATORY_CERTIFICATE,
        ...this.behaviour.tls,
        SNICallback: (name, done) => {
          visit.serverName = name;
          done(null);
        },
      });
      secure.on('error', () => undefined);
      secure.on('data', onData);
      socket = secure;
      rest = '';
      await once(secure, 'secure').catch(() => undefined);
      visit.tls = true;
    };
    socket.on('data', onData);
    const { greeting = '220 mx.example.test ESMTP' } = this.behaviour;
    await say(socket, typeof greeting === 'function' ? greeting(visit) : greeting, () => (greeted = true));
  }

  private answerTo(line: string, nth: number, visit: Visit): Answer {
    const { behaviour } = this;
    const verb = line.slice(0, 4).toUpperCase();
    const argument = line.slice(5);
    if (verb === 'EHLO') return resolve(behaviour.ehlo ?? EHLO_PLAIN, argument);
    if (verb === 'HELO') return behaviour.helo ?? '250 mx.example.test';
    if (verb === 'STAR') return behaviour.starttls ?? { text: '220 2.0.0 ready', after: 'tls' };
    if (verb === 'MAIL') return resolve(behaviour.mail ?? '250 2.1.0 sender ok', line, visit);
    if (verb === 'RCPT') return resolve(behaviour.rcpt ?? realOnly, pathOf(line), nth, visit);
    if (verb === 'RSET') return behaviour.rset ?? '250 2.0.0 reset';
    return verb === 'QUIT' ? '221 2.0.0 bye' : '502 5.5.2 what?';
  }
}

/** A healthy host: takes `real@…`, knows nobody else. */
export function realOnly(path: string): Answer {
  return path.startsWith('real@') ? '250 2.1.5 ok' : `550 5.1.1 <${path}>: user unknown`;
}

function resolve<Arguments extends unknown[]>(
  answer: Answer | ((...of: Arguments) => Answer),
  ...of: Arguments
): Answer {
  return typeof answer === 'function' ? answer(...of) : answer;
}

function pathOf(line: string): string {
  return /<(.*)>/.exec(line)?.[1] ?? '';
}

/** Waiting is what some of these hosts are about; nothing in a test depends on how long it takes. */
async function say(socket: Socket, answer: Answer, beforeLast?: () => void): Promise<void> {
  const { text, raw = false, pieces, delayMs = 0, after }: Say = typeof answer === 'string' ? { text: answer } : answer;
  if (delayMs > 0) await sleep(delayMs);
  const whole = text === null ? [] : [raw ? text : Buffer.concat([Buffer.from(text), Buffer.from('\r\n')])];
  const parts = pieces ?? whole;
  for (const [index, part] of parts.entries()) {
    if (index > 0) await sleep(2);
    if (socket.destroyed || socket.writableEnded) return;
    if (index === parts.length - 1) beforeLast?.();
    socket.write(part);
  }
  if (after === 'close') socket.end();
  if (after === 'reset') socket.resetAndDestroy();
  if (after === 'junk') socket.write('this is not a TLS record, and never will be one\r\n');
}
