import type { DatabaseHealth } from '../database/database-health.js';
import type { RedisHealth } from '../redis/redis-health.js';
import { ProcessState } from './process-state.js';
import { Readiness } from './readiness.js';

const up = { check: () => Promise.resolve() };
const down = { check: () => Promise.reject(new Error('Redis does not answer')) };

function readiness(redis: Pick<RedisHealth, 'check'> = up): Readiness {
  return new Readiness(new ProcessState(), up as DatabaseHealth, redis as RedisHealth);
}
const answer = (asked: Readiness): Promise<string> =>
  asked.check().then(
    () => 'ready',
    (error: Error) => error.message,
  );

describe('Readiness', () => {
  it('waits for what a part of the process requires', async () => {
    const asked = readiness();
    let has = false;
    asked.require('the lists have not been read yet', () => has);
    expect(await answer(asked)).toBe('Not ready: the lists have not been read yet.');
    has = true;
    expect(await answer(asked)).toBe('ready');
  });

  it('speaks of a server that is down rather than of what is missing for it', async () => {
    const asked = readiness(down);
    asked.require('the lists have not been read yet', () => false);
    expect(await answer(asked)).toBe('Not ready: Redis does not answer.');
  });
});
