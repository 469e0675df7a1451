import type { Redis } from 'ioredis';
import { depthOfRank, type CheckDepth } from './join-outcome.js';

export interface CompletionChannelOptions {
  readonly channel: string;
  /** A client that reconnects by itself. */
  readonly connect: () => Redis;
  /** @param stored the depth of the result; null: there is none, and the address is free */
  readonly onCompletion: (hash: string, stored: CheckDepth | null) => void;
  /** Called once the channel listens: earlier messages may have been missed. */
  readonly onListening: () => void;
}

/** A connection that only subscribes does not notice that it is dead, so it sends a heartbeat. */
const HEARTBEAT_MS = 15_000;

/** Receives completed checks of all processes, on a connection of its own that opens on first use. */
export class CompletionChannel {
  private subscriber: Redis | null = null;
  private heartbeat: NodeJS.Timeout | undefined;
  private closed = false;

  constructor(private readonly options: CompletionChannelOptions) {}

  /** Subscribes for good. Does nothing if already open. */
  open(): void {
    if (this.subscriber !== null || this.closed) return;
    const subscriber = this.options.connect();
    this.subscriber = subscriber;
    // The process's ordinary Redis client reports when this server is down.
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

  /** Subscribing again changes nothing, and its answer proves that the connection is alive. */
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
