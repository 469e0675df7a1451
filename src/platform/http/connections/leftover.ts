import type { IncomingMessage } from 'node:http';
import type { ConnectionLimits } from './limits.js';

/** Shortest time between two checks of the limits. */
const LOOK_EVERY_MS = 100;

/** Receives and drops the rest of a body whose request is answered, so that the answer is not lost to a reset. */
export class Leftover {
  private readonly looking: NodeJS.Timeout;
  private readonly maxOctets: number;
  private until: number;
  private over = false;
  private readonly gone = (): void => this.end(false);

  /**
   * @param done called once: with true at the end of the body, with false at a limit. Not called when the connection is
   * gone
   */
  constructor(
    private readonly request: IncomingMessage,
    { leftoverMs, leftoverOctets }: ConnectionLimits,
    private readonly done: (received: boolean) => void,
  ) {
    this.until = performance.now() + leftoverMs;
    // Polls the byte count: a listener for data would take the socket away from Node's parser.
    this.maxOctets = request.socket.bytesRead + leftoverOctets;
    this.looking = setInterval(() => this.look(), Math.min(LOOK_EVERY_MS, leftoverMs));
    request.once('end', () => this.end(true));
    request.socket.once('close', this.gone);
    request.resume();
  }

  /** Shortens the remaining time to at most this long. */
  hurry(ms: number): void {
    this.until = Math.min(this.until, performance.now() + ms);
  }

  private look(): void {
    if (performance.now() >= this.until || this.request.socket.bytesRead > this.maxOctets) this.end(false);
  }

  private end(received: boolean): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.looking);
    this.request.socket.off('close', this.gone);
    if (!this.request.socket.destroyed) this.done(received);
  }
}
