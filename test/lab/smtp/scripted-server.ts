import { createServer, type Server, type Socket } from 'node:net';
import { closed, listening } from '../loopback.js';
import type { MailHost } from './mail-host.js';
import { ScriptedSession, type HostMemory } from './scripted-session.js';
import type { SessionBook } from './session-log.js';

const TOO_MANY_SESSIONS = { lines: '421 4.7.0 Too many connections', afterwards: 'close' } as const;

/** A mail host that listens and can be stopped. */
export interface RunningHost {
  stop(): Promise<void>;
}

/** Listens for one mail host and runs a scripted session with every client. */
export class ScriptedServer implements RunningHost {
  private readonly server: Server = createServer({ allowHalfOpen: true }, (socket) => void this.accept(socket));
  private readonly sockets = new Set<Socket>();
  private readonly memory: HostMemory = { firstTries: new Map() };
  private nth = 0;

  constructor(
    private readonly name: string,
    private host: MailHost,
    private readonly book: SessionBook,
  ) {}

  listen(address: string, port: number): Promise<number> {
    return listening(this.server, address, port);
  }

  /** Uses other data for new sessions; greylisting keeps its memory. */
  replaceHost(host: MailHost): void {
    this.host = host;
    this.nth = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await closed(this.server);
  }

  private async accept(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    const log = this.book.open(this.name, socket.remoteAddress ?? '');
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.book.close(log);
    });
    if (this.host.tcp === 'reset') return void socket.resetAndDestroy();
    await new ScriptedSession(socket, this.next(), log, this.memory).run();
    // Send the reply that ended the session before the connection closes.
    socket.end();
    socket.destroySoon();
  }

  /** The behaviour of the new session. */
  private next(): MailHost {
    const { sessions = [], sessionLimit } = this.host;
    const special = sessions[Math.min(this.nth, sessions.length - 1)];
    this.nth += 1;
    const host = { ...this.host, ...special };
    const crowded = sessionLimit !== undefined && this.book.openAt(this.name) > sessionLimit;
    return crowded ? { ...host, greeting: TOO_MANY_SESSIONS } : host;
  }
}
