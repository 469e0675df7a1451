import type { ServerFacts } from '../../platform/database/server-facts.repository.js';
import { clockFinding, databaseFindings, redisFindings } from './store-findings.js';

const FACTS: ServerFacts = {
  version: '10.11.6-MariaDB-0+deb12u1',
  characterSet: 'utf8mb4',
  maxAllowedPacket: 64 * 1024 * 1024,
  binlogFormat: null,
  now: new Date(),
};
const states = (findings: readonly { check: string; state: string }[]) =>
  Object.fromEntries(findings.map(({ check, state }) => [check, state]));

describe('the database', () => {
  it('passes with its default settings', () => {
    expect(states(databaseFindings(FACTS, 0))).toEqual({ database: 'ok', 'database settings': 'ok', schema: 'ok' });
  });

  it.each([
    ['10.6.12-MariaDB', 'fault'],
    ['10.11.0-MariaDB', 'ok'],
    ['11.4.2-MariaDB', 'ok'],
    ['5.7.44', 'fault'],
    ['8.0.36', 'ok'],
    ['9.7.4', 'ok'],
  ])('of version %s is %s', (version, state) => {
    expect(states(databaseFindings({ ...FACTS, version }, 0))['database']).toBe(state);
  });

  it('fails with settings that break charges and jobs, and with pending migrations', () => {
    expect(databaseFindings({ ...FACTS, binlogFormat: 'STATEMENT' }, 0)[1]).toMatchObject({ state: 'fault' });
    expect(databaseFindings({ ...FACTS, maxAllowedPacket: 1024 }, 0)[1]).toMatchObject({ state: 'warning' });
    expect(databaseFindings(FACTS, 2)[2]).toMatchObject({ state: 'fault', advice: 'Type: node dist/cli migrate' });
  });
});

describe('Redis', () => {
  const info = (version: string, policy: string, role: string): string =>
    `# Server\r\nredis_version:${version}\r\n# Memory\r\nmaxmemory_policy:${policy}\r\n# Replication\r\nrole:${role}\r\n`;

  it.each([
    [info('7.0.15', 'noeviction', 'master'), ['ok', 'ok', 'ok']],
    [info('6.0.16', 'noeviction', 'master'), ['fault', 'ok', 'ok']],
    [info('7.2.0', 'allkeys-lru', 'slave'), ['ok', 'warning', 'fault']],
    ['redis_version:7.2.4\r\n', ['ok', 'unknown', 'unknown']],
  ])('reports %j: %j', (text, expected) => {
    expect(redisFindings(text).map(({ state }) => state)).toEqual(expected);
  });
});

it('reports a clock that is more than two seconds off, with its direction', () => {
  expect(clockFinding({ Redis: 1500, 'the database': -300 })).toMatchObject({ state: 'ok' });
  expect(clockFinding({ Redis: 5000, 'the database': -61_000 })).toMatchObject({
    state: 'warning',
    found: 'Redis is 5 s ahead, the database is 61 s behind',
  });
});
