import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const PAUSED = '_paused';

type Hand = (request: IncomingMessage, keepAlive: boolean) => number;

/**
 * What is used of Node's HTTP server that its documentation does not name. The parser reads all requests of a chunk in one
 * go and hands each to `onIncoming`, which makes the response and emits `request`. A Node in which that is no longer so fails
 * `pipelining.lab-spec.ts`; run on it all the same, requests come as Node hands them on, and their connection ends at the second.
 */
interface HttpSocket extends Socket {
  /** Set by Node's server while it wants nothing more to be read. */
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

/** Counts what waits on all connections of a process. */
export class WaitingRoom {
  private taken = 0;

  constructor(private readonly places: number) {}

  take(): boolean {
    if (this.taken >= this.places) return false;
    this.taken++;
    return true;
  }

  leave(places: number): void {
    this.taken -= places;
  }
}

/**
 * Hands on the requests of one connection one at a time. A request that comes while another is being answered is held back as
 * the parser made it, before it costs a response, and nothing more is read from the socket.
 */
export class RequestQueue {
  /** Whether a request is being answered: set by the owner. */
  busy = false;
  private readonly socket: HttpSocket;
  private readonly hand: Hand;
  private readonly waiting: Waiting[] = [];
  /** More came than may wait: the connection ends with the last one that waits. */
  private full = false;

  constructor(
    socket: Socket,
    private readonly room: WaitingRoom,
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

  /** Hands on the next request. @returns false when none waits; then the socket is read again */
  next(): boolean {
    const next = this.waiting.shift();
    if (next === undefined) {
      if (this.full) this.socket.destroySoon();
      else this.readOn();
      return false;
    }
    this.room.leave(1);
    const isNewest = this.waiting.length === 0;
    this.hand(next.request, next.keepAlive && !(isNewest && this.full));
    // The rest of its body may still have to come.
    if (isNewest && !this.full) this.readOn();
    return true;
  }

  /** Forgets what waits. */
  clear(): void {
    this.room.leave(this.waiting.length);
    this.waiting.length = 0;
  }

  private receive(request: IncomingMessage, keepAlive: boolean): number {
    if (!this.busy) return this.hand(request, keepAlive);
    // Node takes an upgrade for the end of HTTP on the socket. We offer none; held back, it is a request like others.
    (request as { upgrade?: boolean }).upgrade = false;
    this.full ||= this.waiting.length >= this.places || !this.room.take();
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
