import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const PAUSED = '_paused';

type Hand = (request: IncomingMessage, keepAlive: boolean) => number;

/**
 * Undocumented parts of Node's HTTP server that this file relies on. The parser reads all requests of a chunk at once
 * and passes each to `onIncoming`, which makes the response and emits `request`. A Node version without this fails
 * `pipelining.lab-spec.ts`; in production, requests then come as Node passes them on, and their connection closes at
 * the second.
 */
interface HttpSocket extends Socket {
  /** Node's server sets it to stop reading. */
  [PAUSED]: boolean;
  parser: {
    onIncoming?: Hand;
    resume?(): void;
  } | null;
}

interface Waiting {
  readonly request: IncomingMessage;
  readonly keepAlive: boolean;
}

const NOBODY: Hand = () => 0;

/** Counts waiting requests on all connections of a process. */
export class WaitingRequestLimit {
  private taken = 0;

  constructor(private readonly places: number) {}

  acquire(): boolean {
    if (this.taken >= this.places) return false;
    this.taken++;
    return true;
  }

  release(places: number): void {
    this.taken -= places;
  }
}

/**
 * Passes on the requests of one connection one at a time. A request that arrives while another is being answered is
 * held as the parser made it, before a response is built, and reading from the socket stops.
 */
export class RequestQueue {
  /** A request is being answered; the owner sets this. */
  busy = false;
  private readonly socket: HttpSocket;
  private readonly hand: Hand;
  private readonly waiting: Waiting[] = [];
  /** More requests came than may wait: the connection closes after the last waiting one. */
  private full = false;

  constructor(
    socket: Socket,
    private readonly room: WaitingRequestLimit,
    private readonly places: number,
  ) {
    this.socket = socket as HttpSocket;
    const { parser } = this.socket;
    this.hand = parser?.onIncoming ?? NOBODY;
    if (parser?.onIncoming !== undefined) {
      parser.onIncoming = (request, keepAlive) => this.receive(request, keepAlive);
    }
  }

  get length(): number {
    return this.waiting.length;
  }

  /** The next request, or undefined. */
  peek(): IncomingMessage | undefined {
    return this.waiting[0]?.request;
  }

  /**
   * Passes on the next request.
   * @returns false when none waits; reading then resumes
   */
  next(): boolean {
    const next = this.waiting.shift();
    if (next === undefined) {
      if (this.full) this.socket.destroySoon();
      else this.readOn();
      return false;
    }
    this.room.release(1);
    const isNewest = this.waiting.length === 0;
    this.hand(next.request, next.keepAlive && !(isNewest && this.full));
    // The rest of its body may still have to arrive.
    if (isNewest && !this.full) this.readOn();
    return true;
  }

  /** Drops all waiting requests. */
  clear(): void {
    this.room.release(this.waiting.length);
    this.waiting.length = 0;
  }

  private receive(request: IncomingMessage, keepAlive: boolean): number {
    if (!this.busy) return this.hand(request, keepAlive);
    // Node treats an upgrade as the end of HTTP on the socket. We offer none: handle it as an ordinary request.
    (request as { upgrade?: boolean }).upgrade = false;
    this.full ||= this.waiting.length >= this.places || !this.room.acquire();
    if (!this.full) this.waiting.push({ request, keepAlive });
    this.socket[PAUSED] = true;
    this.socket.pause();
    return 0;
  }

  private readOn(): void {
    if (!this.socket[PAUSED]) return;
    this.socket[PAUSED] = false;
    this.socket.parser?.resume?.();
    this.socket.resume();
  }
}
