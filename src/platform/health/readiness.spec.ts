import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { HealthCheckService, HealthIndicatorService, TerminusModule } from '@nestjs/terminus';
import type { DatabaseHealth } from '../database/database-health.js';
import type { RedisHealth } from '../redis/redis-health.js';
import { ProcessState } from '../process/process-state.js';
import { Readiness } from './readiness.js';

class Nothing {}
let checks: INestApplicationContext;
beforeAll(async () => {
  const module = { module: Nothing, imports: [TerminusModule.forRoot({ logger: false })] };
  checks = await NestFactory.createApplicationContext(module, { logger: false });
});
afterAll(() => checks.close());

type Database = Pick<DatabaseHealth, 'check' | 'isWritable' | 'warnings'>;
const reached: Database = { check: () => Promise.resolve(), isWritable: true, warnings: [] };
type Redis = Pick<RedisHealth, 'check' | 'condition' | 'warnings'>;
const well = { condition: { refusesWrites: null, evictionPolicy: 'noeviction' }, warnings: [] };
const up: Redis = { ...well, check: () => Promise.resolve() };
const down: Redis = { ...well, check: () => Promise.reject(new Error('Redis does not answer')) };

function readiness(redis: Redis = up, state = new ProcessState(), database = reached): Readiness {
  // Each has a memory of its own for answers that are good for a while.
  const indicators = new HealthIndicatorService();
  return new Readiness(
    state,
    database as DatabaseHealth,
    redis as RedisHealth,
    checks.get(HealthCheckService),
    indicators,
  );
}
const answer = (asked: Readiness): Promise<string> =>
  asked.check().then(
    () => 'ready',
    (error: Error) => error.message,
  );

describe('Readiness', () => {
  it('is not ready before every required part is', async () => {
    const asked = readiness();
    let has = false;
    asked.require('the lists have not been read yet', () => has);
    expect(await answer(asked)).toBe('Not ready: the lists have not been read yet.');
    has = true;
    expect(await answer(asked)).toBe('ready');
  });

  it('reports each server as up', async () => {
    const server = { status: 'up', responseTime: expect.any(Number) as number };
    expect(await readiness().check()).toEqual({
      details: {
        database: { ...server, writes: 'taken' },
        redis: { ...server, writes: 'taken', maxmemory_policy: 'noeviction' },
      },
      degraded: false,
      warnings: [],
    });
  });

  it('is ready but degraded while Redis takes no writes', async () => {
    const full: Redis = { ...up, condition: { refusesWrites: 'OOM', evictionPolicy: 'unknown' }, warnings: ['full'] };
    expect(await readiness(full).check()).toMatchObject({
      details: { redis: { status: 'up', writes: 'refused', maxmemory_policy: 'unknown' } },
      degraded: true,
      warnings: ['full'],
    });
  });

  it('is ready but degraded while the database takes no writes', async () => {
    const readOnly: Database = { ...reached, isWritable: false, warnings: ['read-only'] };
    expect(await readiness(up, undefined, readOnly).check()).toMatchObject({
      details: { database: { status: 'up', writes: 'refused' } },
      degraded: true,
      warnings: ['read-only'],
    });
  });

  it('checks no server while the process stops', async () => {
    const state = new ProcessState();
    const check = jest.fn(() => Promise.resolve());
    const asked = readiness({ ...up, check }, state);
    state.beginStop();
    expect(await answer(asked)).toBe('Not ready: the process is stopping.');
    expect(check).not.toHaveBeenCalled();
  });

  it.each([
    ['is up', () => Promise.resolve()],
    ['is down', () => Promise.reject(new Error('Redis does not answer'))],
  ])('checks a server that %s once per second for all callers', async (_how, reply) => {
    const check = jest.fn(reply);
    const asked = readiness({ ...up, check });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
    await Promise.all(Array.from({ length: 100 }, () => answer(asked)));
    clock.mockReturnValue(1_000_999);
    await answer(asked);
    expect(check).toHaveBeenCalledTimes(1);
    clock.mockReturnValue(1_001_000);
    await answer(asked);
    expect(check).toHaveBeenCalledTimes(2);
    clock.mockRestore();
  });

  it('reports a server that is down before the parts that need it', async () => {
    const asked = readiness(down);
    asked.require('the lists have not been read yet', () => false);
    expect(await answer(asked)).toBe('Not ready: Redis does not answer.');
  });
});
