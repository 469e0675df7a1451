import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { connectRedis } from '../../src/platform/redis/connect-redis.js';
import { createRedis } from '../../src/platform/redis/redis-client.js';
import { primaryOf, startSentinels, type RedisGroup } from '../support/redis-nodes.js';
import { waitUntil } from '../support/wait-until.js';

let servers: RedisGroup;
let redis: Redis;
let ofQueues: Redis;

beforeAll(async () => {
  servers = await startSentinels();
  [redis, ofQueues] = [createRedis(servers.url), connectRedis(servers.url, { maxRetriesPerRequest: null })];
  ofQueues.on('error', () => undefined);
  if (!(await waitUntil(async () => redis.status === 'ready', { ms: 60_000 }))) throw new Error('no client');
});
afterAll(async () => {
  redis?.disconnect();
  ofQueues?.disconnect();
  await servers?.close();
});
afterEach(() => jest.restoreAllMocks());

describe('three sentinels', () => {
  it('lead to the primary, in the database of the URL', async () => {
    await redis.set('written', 'by name');
    const { admin } = (await primaryOf(servers))!;
    await admin.select(1);
    expect(await admin.get('written')).toBe('by name');
  });

  it('lead to the new primary after the old one has died', async () => {
    const said = (['warn', 'log'] as const).map((level) => jest.spyOn(Logger.prototype, level).mockImplementation());
    await (await primaryOf(servers))!.kill();
    const waiting = ofQueues.set('waiting', 'served');
    const isServed = (): Promise<boolean> =>
      redis.set('again', 'served').then(
        () => true,
        () => false,
      );
    expect(await waitUntil(isServed, { ms: 60_000 })).toBe(true);
    expect(await waiting).toBe('OK');
    expect(await redis.mget('written', 'waiting')).toEqual(['by name', 'served']);
    expect(said.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  });

  it('move the clients of a primary that only hangs', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    jest.spyOn(Logger.prototype, 'log').mockImplementation();
    const hung = await waitUntil(() => primaryOf(servers), { ms: 60_000 });
    await hung!.kill('SIGSTOP');
    expect(await ofQueues.set('hung', 'served')).toBe('OK');
    // Its commands wait for nothing, and it may learn of the new primary later.
    expect(await waitUntil(() => redis.get('hung').catch(() => null), { ms: 60_000 })).toBe('served');
  });
});
