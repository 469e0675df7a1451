import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import type { Deadline } from '../../engine/deadline.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import { AddressFlights, type AddressFlightsParts, type FlightTimes } from './address-flights.js';
import type { Flight, FlightDepth } from './flight.js';
import { LandingChannel } from './landing-channel.js';
import { RedisLeases } from './redis-leases.js';
import { WatchedLeases } from './watched-leases.js';

export interface FlightsOptions extends Partial<FlightTimes> {
  /** A holder that does not renew is taken for dead after so long. */
  readonly leaseMs?: number;
  /** Between 0 and 1; for tests. */
  readonly random?: () => number;
}

/** How full it is, for metrics. */
export interface FlightsState {
  /** Addresses that this process holds or waits for. */
  readonly addresses: number;
  readonly held: number;
  readonly waiting: number;
  /** Redis keeps the leases; else each process keeps them by itself. */
  readonly shared: boolean;
}

/** decisions 6.9 */
const LEASE_MS = 15_000;
const TIMES: FlightTimes = { renewMs: 1000, longestHoldMs: 600_000, pollMs: 500, jitterMs: 50 };
/** Many looks of a waiter. */
const LANDINGS_MS = 10_000;
/** Less than a waiter's look: it gives a Redis that failed once a second chance. */
const RETRY_MS = 250;

/**
 * The same address asked for twice at once is checked once (decisions 6.9), in one process and in all that share a Redis:
 * one leads and runs the check, the others wait for it to land and read the cache. Without Redis each process by itself;
 * never an error.
 */
export class Flights {
  private readonly addresses = new Map<string, AddressFlights>();
  private readonly leases: WatchedLeases;
  private readonly channel: LandingChannel;
  private readonly times: FlightTimes;
  private readonly random: () => number;
  private closed = false;

  /**
   * @param redis of the process, for ordinary commands
   * @param subscriber makes a connection to the same server that reconnects by itself; called once, when first needed
   */
  constructor(
    redis: Redis,
    subscriber: () => Redis,
    { leaseMs = LEASE_MS, random = Math.random, ...times }: FlightsOptions = {},
  ) {
    // Channels are the same in all logical databases of a server.
    const channel = `mailvet:flights:${redis.options.db ?? 0}`;
    this.leases = new WatchedLeases(new RedisLeases(redis, { leaseMs, landingsMs: LANDINGS_MS, channel }), {
      onChange: logged(),
      retryMs: RETRY_MS,
    });
    this.channel = new LandingChannel({
      channel,
      connect: subscriber,
      onLanding: (hash, stored) => this.addresses.get(hash)?.landed(stored),
      onListening: () => {
        for (const address of this.addresses.values()) address.wake();
      },
    });
    this.times = { ...TIMES, ...times };
    this.random = random;
  }

  /**
   * Leave to check an address, or word that somebody else has. Costs one round trip to Redis, or none where somebody of this
   * process has the address.
   * @param hash address hash
   */
  join(hash: string, depth: FlightDepth, deadline: Deadline): Promise<Flight> {
    if (this.closed || deadline.expired) return Promise.resolve({ kind: 'late' });
    const known = this.addresses.get(hash);
    if (known !== undefined) return known.join(depth, deadline);
    const address = new AddressFlights(hash, this.partsOf(hash));
    this.addresses.set(hash, address);
    return address.join(depth, deadline);
  }

  /**
   * How far the check of an address has come, of whichever process, as of a moment ago; null: nobody was asked yet, no check is
   * under way, or Redis does not answer.
   */
  stageOf(hash: string): Promise<SmtpStage | null> {
    const here = this.addresses.get(hash);
    return here?.held === true ? Promise.resolve(here.stage) : this.leases.stageOf(hash);
  }

  get state(): FlightsState {
    let held = 0;
    let waiting = 0;
    for (const address of this.addresses.values()) {
      if (address.held) held += 1;
      waiting += address.waiting;
    }
    return { addresses: this.addresses.size, held, waiting, shared: this.leases.isShared };
  }

  /** Who waits is late now; leases still held end by themselves. */
  close(): void {
    this.closed = true;
    this.channel.close();
    for (const address of this.addresses.values()) address.close();
  }

  private partsOf(hash: string): AddressFlightsParts {
    const { leases, times, random } = this;
    return {
      leases,
      times,
      random,
      onWait: () => this.channel.open(),
      onIdle: () => void this.addresses.delete(hash),
    };
  }
}

function logged(): (error: unknown) => void {
  const logger = new Logger('Flights');
  return (error) => {
    if (error === null) logger.log('checks of one address are shared by all processes again');
    else logger.warn({ err: error }, 'checks of one address are shared within a process only: Redis does not answer');
  };
}
