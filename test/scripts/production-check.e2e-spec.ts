import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

jest.setTimeout(600_000);

const ROOT = resolve(__dirname, '..', '..');
/** In megabytes: 154 today, 23 of them class-validator and its own dependencies. Development takes several times that. */
const MOST_MODULES_MB = 165;

describe('node scripts/production-check.mjs', () => {
  const name = `spec-${randomBytes(4).toString('hex')}`;
  let database: TestDatabase;
  let redis: TestRedis;

  beforeAll(async () => {
    [database, redis] = await Promise.all([createTestDatabase(), claimTestRedis()]);
  });
  afterAll(async () => {
    await Promise.all([database.drop(), redis.release()]);
    rmSync(join(ROOT, '.local', name), { recursive: true, force: true });
  });

  it('installs and builds a clean copy, and serves from it as an unprivileged user', async () => {
    const env = { ...process.env, DATABASE_URL: database.url, REDIS_URL: redis.url };
    const script = spawn(process.execPath, ['scripts/production-check.mjs', name], { cwd: ROOT, env });
    let text = '';
    for (const stream of [script.stdout, script.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    }
    const [code] = (await once(script, 'close')) as [number];
    expect(text).toContain('All processes ended with 0, and nothing was written.');
    expect(Number(/node_modules: \d+ packages, (\d+) MB/.exec(text)?.[1])).toBeLessThan(MOST_MODULES_MB);
    if (process.getuid?.() === 0) expect(text).toContain('runs as user 1000, without capabilities');
    expect(code).toBe(0);
  });
});
