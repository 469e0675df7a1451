import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { runMigrations } from '../../src/platform/database/run-migrations.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createWorker } from '../../src/roles/worker.js';
import { breakableLink, type BreakableLink } from '../support/breakable-link.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

let database: TestDatabase;
let redis: TestRedis;
let toDatabase: BreakableLink;
let toRedis: BreakableLink;
let app: NestFastifyApplication;

const linkTo = (url: string) => breakableLink({ host: new URL(url).hostname, port: Number(new URL(url).port) });
const through = (url: string, { port }: BreakableLink): string => {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
};

beforeAll(async () => {
  database = await createTestDatabase();
  redis = await claimTestRedis();
  toDatabase = await linkTo(database.url);
  toRedis = await linkTo(redis.url);
  const settings = loadConfig('worker', {
    DATABASE_URL: through(database.url, toDatabase),
    REDIS_URL: through(redis.url, toRedis),
    WORKER_PORT: '0',
    SMTP_CHECK_DOMAINS: 'none',
  });
  app = await createWorker(settings, createLog('silent'));
  await app.init();
});
afterAll(async () => {
  await app.close();
  await Promise.all([toDatabase.close(), toRedis.close()]);
  await redis.release();
  await database.drop();
});

const answerOf = async (path: string) => {
  const response = await app.inject({ method: 'GET', url: path });
  return { status: response.statusCode, message: response.json<{ error?: { message: string } }>().error?.message };
};
/** Waits for the health check to see a change: it asks the servers at most once a second. */
const readyBecomes = async (message: RegExp): Promise<void> => {
  const shown = async () => (await answerOf('/health/ready')).message ?? 'ready';
  await waitUntil(async () => message.test(await shown()), { ms: 60_000 });
  expect(await shown()).toMatch(message);
};
const READY = /^ready$/;

it('starts without its servers, reports that, and follows their outages', async () => {
  expect((await answerOf('/health/live')).status).toBe(200);
  expect((await answerOf('/health/startup')).status).toBe(200);
  expect(await answerOf('/health/ready')).toEqual({
    status: 503,
    message: 'Not ready: the database has not been reached yet; Redis does not answer.',
  });

  await Promise.all([toDatabase.restore(), toRedis.restore()]);
  const target = parseDatabaseUrl(database.url);
  if (target === null) throw new Error('no URL');
  await readyBecomes(/^Not ready: \d+ migrations are pending\.$/);
  await runMigrations(target);
  await readyBecomes(READY);

  await toDatabase.cut();
  await readyBecomes(/^Not ready: the database does not answer\.$/);
  expect((await answerOf('/health/live')).status).toBe(200);
  await toDatabase.restore();
  await readyBecomes(READY);

  await toRedis.cut();
  await readyBecomes(/^Not ready: Redis does not answer\.$/);
  await toRedis.restore();
  await readyBecomes(READY);
});

it('detects servers that accept connections and do not answer', async () => {
  await readyBecomes(READY);
  toDatabase.silence();
  toRedis.silence();
  await readyBecomes(/^Not ready: the database does not answer; Redis does not answer\.$/);
  await Promise.all([toDatabase.restore(), toRedis.restore()]);
  await readyBecomes(READY);
});
