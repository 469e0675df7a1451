import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { setTimeout as delay } from 'node:timers/promises';
import { createRedis } from '../../src/platform/redis/redis-client.js';
import { isRedisDown } from '../../src/platform/redis/redis-errors.js';
import { refuseWrongRedis } from '../../src/platform/redis/refuse-wrong-redis.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

Logger.overrideLogger(false);

/** How long Redis may take is not what is tried here, and it takes long on a busy machine. */
jest.mock('../../src/platform/scheduling/within-deadline.js', () => ({
  ...jest.requireActual<object>('../../src/platform/scheduling/within-deadline.js'),
  withinDeadline: (work: Promise<unknown>) => work,
}));

let server: TestRedis;
let link: BreakableLink;
let redis: Redis;

beforeAll(async () => {
  server = await claimTestRedis();
  const url = new URL(server.url);
  link = await breakableLink({ host: url.hostname, port: Number(url.port) });
  url.port = String(link.port);
  redis = createRedis(url.href);
});
afterAll(async () => {
  redis.disconnect();
  await link.close();
  await server.release();
});

const failure = (command: Promise<unknown>) =>
  command.then(
    () => 'no failure',
    (error: unknown) => error,
  );
const connected = async () => {
  await link.restore();
  await waitUntil(async () => redis.status === 'ready', { ms: 60_000 });
};

it('fails a command at once while Redis has not been reached', async () => {
  const first = await Promise.race([failure(redis.get('x')), delay(500, 'it waits')]);
  expect(isRedisDown(first)).toBe(true);
});

it('works once it is reached; a refused command does not count as an outage', async () => {
  await connected();
  await redis.set('text', 'x');
  expect(await redis.get('text')).toBe('x');
  expect(isRedisDown(await failure(redis.incr('text')))).toBe(false);
});

it('refuses the start with a numbered database that the server lacks, where the client goes on with another', async () => {
  const numbered = async (number: number): Promise<void> => {
    const url = new URL(server.url);
    url.pathname = `/${number}`;
    const client = createRedis(url.href);
    await refuseWrongRedis(client).finally(() => client.disconnect());
  };
  await expect(numbered(999)).rejects.toThrow(/^REDIS_URL: names database 999, which the server does not have/);
  await expect(numbered(0)).resolves.toBeUndefined();
});

it('sends the commands of one turn of the event loop in one write', async () => {
  await connected();
  const writes = [jest.spyOn(redis.stream, '_write'), jest.spyOn(redis.stream, '_writev' as '_write')];
  const first = redis.set('shared', 1);
  await Promise.resolve();
  expect(await Promise.all([first, redis.incr('shared'), redis.get('shared')])).toEqual(['OK', 2, '2']);
  expect(writes.reduce((count, { mock }) => count + mock.calls.length, 0)).toBe(1);
});

it('fails a command whose connection is lost, and does not send it again', async () => {
  await connected();
  await redis.set('count', 0);
  link.silence();
  const lost = failure(redis.incr('count'));
  await link.cut();
  expect(isRedisDown(await lost)).toBe(true);
  await connected();
  expect(await redis.get('count')).toBe('0');
});

it('fails a command that is not answered', async () => {
  await connected();
  link.silence();
  expect(isRedisDown(await failure(redis.get('x')))).toBe(true);
});
