import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';

/** A claim that is not renewed (its test was killed) is free again after this long. */
const claimSeconds = 30;

export interface TestRedis {
  /** `redis://…/<n>`: an empty logical database that no other test file uses now */
  readonly url: string;
  /** Empties the database and gives it back. */
  release(): Promise<void>;
}

/**
 * Claims a logical database of the server of `REDIS_URL` (which `npm test` sets) for one test file. The claims stand
 * in database 0, which no test gets, so several test runs can share a server.
 */
export async function claimTestRedis(): Promise<TestRedis> {
  const given = process.env['REDIS_URL'];
  if (!given)
    throw new Error('REDIS_URL is not set: run `npm test`, or `node scripts/dev-servers.mjs` beside your tests');
  const claims = await connected(withDatabase(given, 0));
  const token = randomUUID();
  const number = await claimFree(claims, token);
  if (number === null) {
    claims.disconnect();
    throw new Error('all logical databases of the test Redis are in use');
  }
  const url = withDatabase(given, number);
  await flush(url);
  const renewal = setInterval(() => void claims.expire(claimKey(number), claimSeconds).catch(() => {}), 5000);
  renewal.unref();
  return {
    url,
    async release() {
      clearInterval(renewal);
      await flush(url);
      await claims.del(claimKey(number));
      await claims.quit();
    },
  };
}

async function claimFree(claims: Redis, token: string): Promise<number | null> {
  const [, databases] = (await claims.config('GET', 'databases')) as [string, string];
  for (let number = 1; number < Number(databases); number++) {
    if ((await claims.set(claimKey(number), token, 'EX', claimSeconds, 'NX')) === 'OK') return number;
  }
  return null;
}

async function flush(url: string): Promise<void> {
  const redis = await connected(url);
  await redis.flushdb();
  await redis.quit();
}

async function connected(url: string): Promise<Redis> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 1, connectTimeout: 5000 });
  await redis.connect();
  return redis;
}

function withDatabase(given: string, number: number): string {
  const url = new URL(given);
  url.pathname = `/${number}`;
  return url.href;
}

function claimKey(number: number): string {
  return `mailvet_test:claimed:${number}`;
}
