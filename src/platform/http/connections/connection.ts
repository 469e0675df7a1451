import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientErrorAnswer } from '../client-error.js';
import { Leftover } from './leftover.js';
import type { ConnectionLimits } from './limits.js';
import { RequestQueue, type WaitingRequestLimit } from './request-queue.js';

/** A request being answered. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** One client connection, from its first byte to its end, which always comes. */
export class Connection {
  private readonly queue: RequestQueue;
  private current: Exchange | null = null;
  private leftover: Leftover | null = null;
  /** The last answer has been sent. */
  private ending = false;
  /** The client sends no more; requests it has sent are still answered. */
  private inputEnded = false;
  /** The parser's error, answered when the requests before it are answered. */
  private refusal: NodeJS.ErrnoException | null = null;
  private refused = false;
  private bytesAtRest = 0;
  private lingering: NodeJS.Timeout | undefined;

  /**
   * @param socket one that Node's HTTP server has just accepted
   * @param onRest called when a request was answered and no other waits
   */
  constructor(
    private readonly socket: Socket,
    private readonly limits: ConnectionLimits,
    room: WaitingRequestLimit,
    private readonly onRest: () => void,
  ) {
    this.queue = new RequestQueue(socket, room, limits.waiting);
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls this after the last answer of a connection.
    socket.destroySoon = () => this.endAfterAnswer(destroySoon);
    socket.once('end', () => (this.inputEnded = true));
    socket.once('close', () => {
      clearTimeout(this.lingering);
      this.queue.clear();
    });
  }

  /** Starts a request whose turn it is. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    // A request arrived out of turn: this version of Node has another parser than the one we know.
    if (this.current !== null) return void this.socket.destroy();
    this.current = { request, response };
    this.queue.busy = true;
    response.once('close', () => this.answered(request));
  }

  /** Answers a parser error, for which there is no request object; then closes the connection. */
  refuse(error: NodeJS.ErrnoException): void {
    if (this.refused) return;
    if (!this.socket.writable || this.current?.response.headersSent === true) {
      this.socket.destroy();
    } else if (this.current?.request.complete === true) {
      this.refusal = error;
    } else {
      this.refused = true;
      // The error is in the rest of a body whose request was already answered.
      this.socket.end(this.leftover === null ? clientErrorAnswer(error) : '');
      this.destroyLater(() => true);
    }
  }

  /** Closes the connection if no request is being answered: at once, or soon if a request has partly arrived. */
  stop(): void {
    this.leftover?.hurry(this.limits.lingerMs);
    if (this.current !== null || this.leftover !== null) return;
    if (this.socket.bytesRead === this.bytesAtRest) this.socket.destroy();
    else this.destroyLater(() => this.current === null);
  }

  destroy(): void {
    this.socket.destroy();
  }

  private answered(request: IncomingMessage): void {
    this.current = null;
    if (this.socket.destroyed) return;
    if (request.complete) return this.proceed();
    this.leftover = new Leftover(request, this.limits, (received) => {
      this.leftover = null;
      if (received && !this.ending) this.proceed();
      else this.socket.destroy();
    });
  }

  private proceed(): void {
    this.queue.busy = false;
    if (this.refusal !== null && this.queue.peek()?.complete !== true) {
      this.queue.clear();
      this.refuse(this.refusal);
    } else if (!this.queue.next()) {
      if (this.inputEnded) this.socket.destroySoon();
      this.bytesAtRest = this.socket.bytesRead;
      this.onRest();
    }
  }

  private endAfterAnswer(destroySoon: () => void): void {
    // Half-closed: Node does not know of the requests that wait.
    if (this.inputEnded && this.queue.length > 0) return;
    if (this.current === null || this.current.request.complete) return destroySoon();
    this.ending = true;
    this.socket.end();
  }

  /** @param still called at that time: whether to destroy the socket after all */
  private destroyLater(still: () => boolean): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => {
      if (still()) this.socket.destroy();
    }, this.limits.lingerMs);
  }
}
