import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { Deadline } from '../../src/engine/deadline.js';
import type { Flight, FlightDepth, Lead } from '../../src/verify/flights/flight.js';
import { Flights, type FlightsOptions } from '../../src/verify/flights/flights.js';
import { createRedis } from '../../src/platform/redis/redis-client.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

let server: TestRedis;
const closers: (() => void)[] = [];

const newHash = (): string => randomBytes(32).toString('hex');
const connected = async (url = server.url): Promise<Redis> => {
  const redis = createRedis(url);
  closers.push(() => redis.disconnect());
  if (redis.status !== 'ready') await once(redis, 'ready');
  return redis;
};
const flightsOf = (redis: Redis, options: FlightsOptions = {}): Flights => {
  const flights = new Flights(redis, () => redis.duplicate({ autoResubscribe: false }), options);
  closers.push(() => flights.close());
  return flights;
};
const deadlineOf = (ms: number): Deadline => {
  const deadline = Deadline.after(ms);
  closers.push(() => deadline.release());
  return deadline;
};
const join = (flights: Flights, hash: string, depth: FlightDepth = 'standard', ms = 20_000): Promise<Flight> =>
  flights.join(hash, depth, deadlineOf(ms));

beforeAll(async () => {
  Logger.overrideLogger(false);
  server = await claimTestRedis();
});
afterEach(() => {
  for (const close of closers.splice(0).toReversed()) close();
});
afterAll(() => server.release());

it('lets one of 200 in two processes lead, and all others land with it', async () => {
  const processes = [flightsOf(await connected()), flightsOf(await connected())];
  const hash = newHash();
  let leads = 0;
  const ends = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const flight = await join(processes[index % 2]!, hash);
      if (flight.kind === 'lead') {
        leads += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
        await flight.land(true);
      }
      return flight.kind;
    }),
  );
  expect(leads).toBe(1);
  expect(ends.filter((kind) => kind === 'landed')).toHaveLength(199);
  expect(processes.map(({ state }) => state.addresses)).toEqual([0, 0]);
});
