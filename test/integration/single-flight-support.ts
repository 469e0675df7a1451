import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { Deadline } from '../../src/engine/deadline.js';
import type { JoinOutcome, CheckDepth, Leader } from '../../src/verify/single-flight/join-outcome.js';
import { SingleFlight, type SingleFlightOptions } from '../../src/verify/single-flight/single-flight.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { readyRedis } from '../support/ready-redis.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

/** A holder that dies, or that is busy for longer than its lease. */
export const NEVER_RENEWS = { renewMs: 600_000 };
export const QUIET = { addresses: 0, held: 0, waiting: 0 };

let server: TestRedis;
let link: BreakableLink;
const closers: (() => void)[] = [];
const connections = new WeakMap<SingleFlight, Redis>();

/** A Redis for the tests of this file, and a link to it; what a test made is closed after it. */
export function useFlights(): void {
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await claimTestRedis();
    const { hostname, port } = new URL(server.url);
    link = await breakableLink({ host: hostname, port: Number(port) });
    // The server knows the scripts from here on: each is one command.
    await (await leading(join(await newProcess(), newHash()))).complete(false);
  });
  afterEach(() => {
    for (const close of closers.splice(0).toReversed()) close();
  });
  afterAll(async () => {
    await link.close();
    await server.release();
  });
}

/** Starts cut. */
export function theLink(): BreakableLink {
  return link;
}

export async function connected(way: 'direct' | 'through the link' = 'direct'): Promise<Redis> {
  const url = new URL(server.url);
  if (way !== 'direct') url.port = String(link.port);
  const redis = await readyRedis(url.href);
  closers.push(() => redis.disconnect());
  return redis;
}

/** A process's flights. @param port of the server for its subscription */
export function processOn(redis: Redis, options: SingleFlightOptions = {}, port = redis.options.port): SingleFlight {
  const subscriber = (): Redis => redis.duplicate({ autoResubscribe: false, ...(port ? { port } : {}) });
  const flights = new SingleFlight(redis, subscriber, options);
  connections.set(flights, redis);
  closers.push(() => flights.close());
  return flights;
}

/** A process's flights on connections of its own. */
export async function newProcess(options: SingleFlightOptions = {}): Promise<SingleFlight> {
  return processOn(await connected(), options);
}

export function join(
  flights: SingleFlight,
  hash: string,
  depth: CheckDepth = 'standard',
  ms = 25_000,
): Promise<JoinOutcome> {
  const deadline = Deadline.after(ms);
  closers.push(() => deadline.release());
  return flights.join(hash, depth, deadline);
}

export async function kinds(...flights: readonly Promise<JoinOutcome>[]): Promise<string[]> {
  return (await Promise.all(flights)).map(({ kind }) => kind);
}

export async function leading(flight: Promise<JoinOutcome>): Promise<Leader> {
  const answer = await flight;
  if (answer.kind !== 'leader') throw new Error(`does not lead: ${answer.kind}`);
  return answer;
}

export async function nobodyWaits(flights: SingleFlight): Promise<boolean | null> {
  return waitUntil(async () => flights.state.addresses === 0, { ms: 60_000, everyMs: 5 });
}

/** Resolves when Redis has answered what this process asked so far: who had to wait then waits. */
export async function asked(flights: SingleFlight): Promise<void> {
  await connections.get(flights)?.ping();
}

/** Resolves when `times` more commands were sent. */
export async function sends(redis: Redis, times: number): Promise<void> {
  const sent = jest.spyOn(redis, 'sendCommand');
  const enough = await waitUntil(async () => sent.mock.calls.length >= times, { ms: 60_000, everyMs: 5 });
  sent.mockRestore();
  if (!enough) throw new Error('nothing is sent');
}

/** How many processes listen for landings. */
export async function listeners(redis: Redis): Promise<number> {
  const [, count] = await redis.pubsub('NUMSUB', `mailvet:flights:${redis.options.db ?? 0}`);
  return Number(count);
}

export function newHash(): string {
  return randomBytes(32).toString('hex');
}

export function leaseOf(hash: string): string {
  return `mailvet:flight:{${hash}}:lease`;
}
