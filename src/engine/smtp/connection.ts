import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Trace } from '../trace.js';
import type { Incoming } from './answer.js';
import { ReplyParser, type ParsedReply } from './reply-parser.js';
import { printableLine } from './printable-line.js';

/** Unread replies held before the peer must wait, so that a flood of replies cannot fill memory. */
const MAX_UNREAD = 64;
/** How long a socket may take to flush its last bytes before it is destroyed, milliseconds. */
const FAREWELL_MS = 1_000;

/**
 * A connected socket as lines out and replies in. It owns the socket: after `close()` no socket, timer or listener is
 * left. Never throws for anything the peer or the network does.
 */
export class SmtpConnection {
  private socket: Socket;
  private parser: ReplyParser;
  private readonly unread: ParsedReply[] = [];
  private ended = false;
  private wake: (() => void) | null = null;
  private readonly onData = (chunk: Buffer): void => {
    this.parser.push(chunk);
    if (this.unread.length > MAX_UNREAD) this.socket.pause();
    this.wake?.();
  };
  private readonly onEnd = (): void => {
    this.ended = true;
    this.wake?.();
  };
  private readonly onAbort = (): void => this.wake?.();

  /** `host` is the mail host's name (SNI, trace). `signal` is the check's deadline; its abort ends every read at once. */
  constructor(
    socket: Socket,
    private readonly host: string,
    private readonly signal: AbortSignal,
    private readonly trace: Trace | undefined,
  ) {
    this.socket = socket;
    this.parser = this.newParser();
    this.signal.addEventListener('abort', this.onAbort);
    this.attach(socket);
  }

  /** True if the peer has hung up; replies it sent before may still be unread. */
  get peerClosed(): boolean {
    return this.ended;
  }

  /** True if an unread reply waits, which no command of ours can have asked for. */
  get hasUnread(): boolean {
    return this.unread.length > 0;
  }

  /** The next reply within `timeoutMs`. A received reply counts even if the peer has hung up since. */
  async read(timeoutMs: number): Promise<Incoming> {
    const isOver = (): boolean => this.unread.length > 0 || this.over;
    if (!isOver()) await this.wait(timeoutMs, isOver);
    return this.takeUnread();
  }

  /** Sends command lines in one write. @throws RangeError if a line contains a line end: a bug of the caller */
  send(lines: readonly string[]): void {
    // oxlint-disable-next-line no-control-regex -- these are the characters that must not be sent
    if (lines.some((line) => /[\r\n\0]/.test(line))) throw new RangeError('an SMTP command contains a line end');
    for (const line of lines) this.trace?.({ kind: 'smtp', host: this.host, direction: 'sent', line });
    if (!this.ended) this.socket.write(lines.map((line) => `${line}\r\n`).join(''));
  }

  /**
   * Switches to TLS after the host's 220. Does not check the certificate: port 25 is opportunistic (RFC 7435), and the
   * address needs a verdict however the host keeps its keys. Discards plain text after the 220, which somebody in
   * between may have injected (RFC 3207 section 6). @returns false if the handshake failed; then only `close()` is left
   * to call
   */
  async startTls(timeoutMs: number): Promise<boolean> {
    const plain = this.socket;
    this.detach(plain);
    this.unread.length = 0;
    this.parser = this.newParser();
    const secure = connectTls({
      socket: plain,
      ...(isIP(this.host) === 0 ? { servername: this.host } : {}),
      rejectUnauthorized: false,
      // Outdated hosts are still mail hosts, and we tell them nothing secret.
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    let shaken = false;
    secure.once('secureConnect', () => {
      shaken = true;
      this.wake?.();
    });
    this.socket = secure;
    this.attach(secure);
    // Whatever comes ends the handshake: its end, or that of the connection.
    if (!this.over) await this.wait(timeoutMs, () => true);
    return shaken;
  }

  /** Ends the connection without waiting for the peer; with `farewell` sends QUIT first. Safe to call twice. */
  close(farewell: boolean): void {
    this.signal.removeEventListener('abort', this.onAbort);
    this.detach(this.socket);
    if (farewell && !this.ended && this.socket.writable) {
      this.trace?.({ kind: 'smtp', host: this.host, direction: 'sent', line: 'QUIT' });
      this.socket.setTimeout(FAREWELL_MS, () => this.socket.destroy());
      this.socket.end('QUIT\r\n');
      this.socket.destroySoon();
    } else {
      this.socket.destroy();
    }
    this.onEnd();
  }

  private get over(): boolean {
    return this.ended || this.signal.aborted;
  }

  /**
   * Waits until something comes after which `isOver`. A process that was held up finds it and the end of its time at once: it
   * reads what has come first.
   */
  private wait(timeoutMs: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => setImmediate(resolve), timeoutMs);
      this.wake = () => {
        if (!isOver()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** The next reply, as `read` returns it, where one is here already. */
  takeUnread(): Incoming {
    const next = this.unread.shift();
    if (next !== undefined) {
      if (this.unread.length === 0 && this.socket.isPaused()) this.socket.resume();
      return next.kind === 'reply' ? next : { kind: 'garbage' };
    }
    return { kind: this.ended ? 'closed' : 'timeout' };
  }

  private newParser(): ReplyParser {
    const { trace, host } = this;
    const onLine = trace
      ? (line: string): void => trace({ kind: 'smtp', host, direction: 'received', line: printableLine(line) })
      : null;
    return new ReplyParser((parsed) => this.unread.push(parsed), onLine);
  }

  private attach(socket: Socket): void {
    socket.on('data', this.onData);
    socket.on('end', this.onEnd);
    socket.on('error', this.onEnd);
    socket.on('close', this.onEnd);
    if (socket.destroyed || socket.readableEnded) this.ended = true;
    else socket.resume();
  }

  private detach(socket: Socket): void {
    socket.off('data', this.onData);
    socket.off('end', this.onEnd);
    socket.off('close', this.onEnd);
    // Keep the error listener: a reset while the socket closes must not end the process.
  }
}
