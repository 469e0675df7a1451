import { Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Deadline } from '../../engine/deadline.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import { AddressSingleFlight, type AddressSingleFlightParts, type SingleFlightTimes } from './address-single-flight.js';
import type { JoinOutcome, CheckDepth } from './join-outcome.js';
import { CompletionChannel } from './completion-channel.js';
import { Leases } from './leases.js';

export interface SingleFlightOptions extends Partial<SingleFlightTimes> {
  /** A leader that does not renew its lease counts as dead after so many milliseconds. */
  readonly leaseMs?: number;
}

/** What is under way: tests look for what is left behind. */
export interface SingleFlightState {
  /** Addresses that this process leads or waits for. */
  readonly addresses: number;
  readonly held: number;
  readonly waiting: number;
  /** True: leases are in Redis. False: Redis is down, and each process keeps its own. */
  readonly shared: boolean;
}

/** decisions 6.9 */
const LEASE_MS = 15_000;
const TIMES: SingleFlightTimes = { renewMs: 1000, longestHoldMs: 600_000, pollMs: 500, jitterMs: 50 };

/**
 * Single-flight by address (decisions 6.9): all processes that share a Redis check an address once at a time. The
 * leader runs the check; the others wait until it completes and read the cache. Without Redis each process does this
 * alone. A Redis failure never fails a call.
 */
@Injectable()
export class SingleFlight implements OnApplicationShutdown {
  private readonly addresses = new Map<string, AddressSingleFlight>();
  private readonly leases: Leases;
  private readonly channel: CompletionChannel;
  private readonly times: SingleFlightTimes;
  private closed = false;

  /**
   * @param redis the process's client for ordinary commands
   * @param subscriber opens a connection to the same server that reconnects by itself; called once, on first use.
   *   `CompletionChannel` resubscribes by itself: ioredis's automatic resubscribe would reject with no handler.
   */
  constructor(
    redis: Redis,
    @Optional() subscriber: () => Redis = () => redis.duplicate({ autoResubscribe: false }),
    @Optional() { leaseMs = LEASE_MS, ...times }: SingleFlightOptions = {},
  ) {
    // All logical databases of a Redis server share their channels.
    const channel = `mailvet:flights:${redis.options.db ?? 0}`;
    this.leases = new Leases(redis, { leaseMs, channel });
    this.channel = new CompletionChannel({
      channel,
      connect: subscriber,
      onCompletion: (hash, stored) => this.addresses.get(hash)?.completed(stored),
      onListening: () => {
        for (const address of this.addresses.values()) address.wake();
      },
    });
    this.times = { ...TIMES, ...times };
  }

  /**
   * Joins the single-flight of an address: the caller leads, or waits for the leader. Costs one round trip to Redis, or
   * none if this process already has the address.
   * @param hash address hash
   */
  join(hash: string, depth: CheckDepth, deadline: Deadline): Promise<JoinOutcome> {
    if (this.closed || deadline.expired) return Promise.resolve({ kind: 'timed_out' });
    const known = this.addresses.get(hash);
    if (known !== undefined) return known.join(depth, deadline);
    const address = new AddressSingleFlight(hash, this.partsOf(hash));
    this.addresses.set(hash, address);
    return address.join(depth, deadline);
  }

  /**
   * The SMTP stage that the check of an address has reached, in any process, as of a moment ago; null: it asked no mail
   * host yet, no check is under way, or Redis does not answer.
   */
  stageOf(hash: string): Promise<SmtpStage | null> {
    const here = this.addresses.get(hash);
    return here?.held === true ? Promise.resolve(here.stage) : this.leases.stageOf(hash);
  }

  get state(): SingleFlightState {
    let held = 0;
    let waiting = 0;
    for (const address of this.addresses.values()) {
      if (address.held) held += 1;
      waiting += address.waiting;
    }
    return { addresses: this.addresses.size, held, waiting, shared: this.leases.isShared };
  }

  /** Times out all waiters. Leases still held expire by themselves. */
  close(): void {
    this.closed = true;
    this.channel.close();
    for (const address of this.addresses.values()) address.close();
  }

  /** Runs after the HTTP server has closed: all requests have been answered. */
  onApplicationShutdown(): void {
    this.close();
  }

  private partsOf(hash: string): AddressSingleFlightParts {
    const { leases, times } = this;
    return {
      leases,
      times,
      random: Math.random,
      onWait: () => this.channel.open(),
      onIdle: () => void this.addresses.delete(hash),
    };
  }
}
