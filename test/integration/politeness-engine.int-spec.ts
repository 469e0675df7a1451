import type { Redis } from 'ioredis';
import { loadEngineConfig } from '../../src/platform/config/load-config.js';
import { politenessOptions } from '../../src/platform/politeness/politeness-options.js';
import { RedisPoliteness } from '../../src/platform/politeness/redis-politeness.js';
import { createEngine, type RunningEngine } from '../../src/verify/engine/create-engine.js';
import { checkAddress } from '../engine/engine-under-test.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { joinWorlds, type World } from '../lab/world.js';
import { readyRedis } from '../support/ready-redis.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

const customer = (domain: string): World => ({ dns: { [domain]: { MX: [[10, 'mx.hoster.test']] } }, hosts: {} });
const world = joinWorlds(customer('a.test'), customer('b.test'), {
  dns: {},
  hosts: { 'mx.hoster.test': { greeting: '421 4.7.0 Too many connections from you' } },
});

describe('engines of several processes', () => {
  let laboratory: Laboratory;
  let server: TestRedis;
  let redis: Redis;
  let engines: RunningEngine[];
  beforeAll(async () => {
    [laboratory, server] = await Promise.all([startLaboratory(world), claimTestRedis()]);
    redis = await readyRedis(server.url);
    const settings = loadEngineConfig({
      ...laboratoryEnvironment(laboratory),
    });
    const options = { ...politenessOptions(settings.config.smtp), firstPauseMs: 60_000 };
    engines = [1, 2].map(() => createEngine(settings, { politeness: new RedisPoliteness(redis, options) }));
  });
  afterAll(async () => {
    for (const engine of engines) engine.close();
    redis.disconnect();
    await Promise.all([laboratory.stop(), server.release()]);
  });
  const check = async (engine: number, email: string) =>
    (await checkAddress(engines[engine]!, email, 'standard')).result;

  it('back off from a host that refused one of them, and still probe it for another domain', async () => {
    expect(await check(0, 'one@a.test')).toMatchObject({ reason: 'smtp_unreachable' });
    expect(laboratory.sessions('mx.hoster.test')).toHaveLength(1);
    expect(await check(1, 'two@a.test')).toMatchObject({ result: 'unknown', reason: 'smtp_unreachable' });
    expect(laboratory.sessions('mx.hoster.test')).toHaveLength(1);

    laboratory.setHost('mx.hoster.test', { recipients: { real: ACCEPTED } });
    expect(await check(1, 'real@b.test')).toMatchObject({ result: 'valid' });
    expect(laboratory.sessions('mx.hoster.test')).toHaveLength(2);
  });
});
