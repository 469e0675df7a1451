import type { Redis } from 'ioredis';
import { depthOfRank, type CheckDepth } from './join-outcome.js';

export interface CompletionChannelOptions {
  readonly channel: string;
  /** A client that reconnects by itself. */
  readonly connect: () => Redis;
  /** @param stored the depth of the result; null: there is none, the address is merely free */
  readonly onCompletion: (hash: string, stored: CheckDepth | null) => void;
  /** Messages may have been missed before. */
  readonly onListening: () => void;
}

/** A connection that only listens does not notice that it is dead: it asks now and then. */
const HEARTBEAT_MS = 15_000;

/** Hears of completed checks in all processes, on one connection of its own that is made when it is first needed. */
export class CompletionChannel {
  private subscriber: Redis | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: CompletionChannelOptions) {}

  /** Listens from now on, for good. Does nothing when it does. */
  open(): void {
    if (this.subscriber !== null || this.closed) return;
    const subscriber = this.options.connect();
    this.subscriber = subscriber;
    // The ordinary client of the process says when this server is down.
    subscriber.on('error', () => undefined);
    subscriber.on('message', (_channel: string, text: string) =>
      this.options.onCompletion(text.slice(1), depthOfRank(Number(text[0]))),
    );
    subscriber.on('ready', () => void this.subscribe(subscriber, true));
    if (subscriber.status === 'ready') void this.subscribe(subscriber, true);
    this.heartbeat = setInterval(() => void this.subscribe(subscriber, false), HEARTBEAT_MS).unref();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.heartbeat);
    this.subscriber?.disconnect();
  }

  /** Subscribing once more changes nothing and is answered, or shows that nobody is there. */
  private async subscribe(subscriber: Redis, isNew: boolean): Promise<void> {
    if (subscriber.status !== 'ready') return;
    try {
      await subscriber.subscribe(this.options.channel);
      if (isNew) this.options.onListening();
    } catch {
      if (subscriber.status === 'ready') subscriber.disconnect(true);
    }
  }
}
