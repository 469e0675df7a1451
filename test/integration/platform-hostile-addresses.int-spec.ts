import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createApi } from '../../src/roles/api.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

let database: MigratedDatabase;
let resolver: Socket;
let app: NestFastifyApplication;
let key: string;
let questions = 0;
const logged: string[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  const account = await new AccountService(new AccountRepository(database.dataSource)).create('Acme', 'free', 'test');
  if (account.kind !== 'created') throw new Error(account.kind);
  const keys = new KeyManagementService(new ApiKeyRepository(database.dataSource), { keys: { prefix: 'mv' } });
  const issued = await keys.create(account.account.id, 'live', null, 'test');
  if (issued === null) throw new Error('no key');
  ({ key } = issued);
  resolver = createSocket('udp4', (packet) => {
    // A process looks its own name up, and the root, to see whether the resolver works.
    if (packet[12] !== 0 && !packet.includes('prober')) questions++;
  });
  resolver.bind(0, '127.0.0.1');
  await once(resolver, 'listening');
  const settings = loadConfig('api', {
    DATABASE_URL: database.url,
    DNS_SERVERS: `127.0.0.1:${resolver.address().port}`,
    DNS_TIMEOUT_MS: '100',
    VERIFY_DEADLINE_MS: '1000',
    SMTP_HELO_NAME: 'prober.test',
    SMTP_CHECK_DOMAINS: 'none',
  });
  app = await createApi(settings, createLog('trace', { write: (line) => void logged.push(line) }));
  await app.init();
});
afterAll(async () => {
  await app.close();
  resolver.close();
  await database.drop();
});

const verify = (email: unknown) =>
  app.inject({
    method: 'POST',
    url: '/v1/verify/single',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    payload: JSON.stringify({ email }),
  });

describe('an address that would break out of an SMTP command or DNS query', () => {
  it.each([
    'ada\r\nRCPT TO:<eve@example.com>@example.com',
    'ada@example.com\r\nDATA',
    'ada@example.com\0.example.net',
    'ada\0@example.com',
    'ada@exa\nmple.com',
    'ada@example.com>\u2028<eve@example.com',
    'ada@[127.0.0.1]',
    `ada@${'a.'.repeat(130)}com`,
    '',
  ])('is bad syntax and causes no DNS query: %j', async (email) => {
    const response = await verify(email);
    expect([response.statusCode, response.json()]).toMatchObject([200, { result: 'invalid', reason: 'bad_syntax' }]);
    expect(questions).toBe(0);
  });

  it('is in no log line, at any level', () => {
    expect(logged.join('')).toMatch(/"route":"\/v1\/verify\/single"/);
    expect(logged.join('')).not.toMatch(/ada[@\\]|eve@|RCPT|example\.(com|net)/);
    expect(logged.join('')).not.toContain(key);
  });
});

it('a valid address causes queries, which shows that this test sees them', async () => {
  await verify('ada@example.com');
  expect(questions).toBeGreaterThan(0);
  expect(logged.join('')).not.toMatch(/ada@|example\.com/);
});
