import { Controller, Get, HttpCode, Module, Post, Req, UseGuards, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { AccountService } from '../../src/auth/account.service.js';
import { generateApiKey } from '../../src/auth/api-key.js';
import { ApiKeyGate } from '../../src/auth/api-key.gate.js';
import { ApiKeyGuard } from '../../src/auth/api-key.guard.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { AuthModule } from '../../src/auth/auth.module.js';
import { callerOf, type Caller } from '../../src/auth/caller.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { ConfigModule } from '../../src/platform/config/config.module.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { createHttpApplication } from '../../src/platform/http/create-http-application.js';
import { PublicRoute } from '../../src/platform/http/public-route.js';
import { RequestGate } from '../../src/platform/http/request-gate.js';
import { ProcessState } from '../../src/platform/process/process-state.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

@Controller('probe')
class ProbeController {
  @Post('guarded')
  @HttpCode(200)
  @UseGuards(ApiKeyGuard)
  guarded(@Req() request: FastifyRequest): Caller | null {
    return callerOf(request);
  }

  /** Its author forgot the guard. */
  @Get('forgotten')
  forgotten(): string[] {
    return ['served'];
  }

  /** Its author marked it public and guarded. */
  @Get('contradictory')
  @PublicRoute()
  @UseGuards(ApiKeyGuard)
  contradictory(): string[] {
    return ['served'];
  }
}

@Module({
  imports: [AuthModule],
  controllers: [ProbeController],
  providers: [ProcessState, { provide: RequestGate, useExisting: ApiKeyGate }],
})
class ProbeModule {
  static with(databaseUrl: string): DynamicModule {
    const settings = loadConfig('api', { DATABASE_URL: databaseUrl });
    return { module: ProbeModule, imports: [ConfigModule.forRoot(settings), DatabaseModule] };
  }
}

const logged: string[] = [];

async function start(databaseUrl: string): Promise<NestFastifyApplication> {
  const log = createLog('debug', { write: (line) => void logged.push(line) });
  const app = await createHttpApplication(
    ProbeModule.with(databaseUrl),
    loadConfig('api', { DATABASE_URL: databaseUrl }).config,
    log,
    'module',
  );
  return app.init();
}

let database: MigratedDatabase;
let app: NestFastifyApplication;
let accountId: string;
let key: string;

beforeAll(async () => {
  database = await createMigratedDatabase();
  app = await start(database.url);
  const created = await new AccountService(new AccountRepository(database.dataSource)).create('Acme', 'free', 'test');
  if (created.kind !== 'created') throw new Error(created.kind);
  accountId = created.account.id;
  const management = new KeyManagementService(new ApiKeyRepository(database.dataSource), { keys: { prefix: 'mv' } });
  key = (await management.create(accountId, 'test', null, 'test'))!.key;
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const post = (headers: Record<string, string>, payload = '{}') =>
  app.inject({
    method: 'POST',
    url: '/probe/guarded',
    headers: { host: 'api.test', 'content-type': 'application/json', ...headers },
    payload,
  });

describe('a route that needs a key', () => {
  it('knows its caller', async () => {
    const response = await post({ 'x-api-key': key });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({ accountId, mode: 'test', plan: { name: 'free' } });
  });

  it.each([
    ['no key', {}],
    ['an empty key', { 'x-api-key': '' }],
    ['a key that nobody made', { 'x-api-key': generateApiKey('mv', 'live') }],
    ['a text that is no key', { 'x-api-key': 'secret' }],
    ['a huge text', { 'x-api-key': `mv_live_${'x'.repeat(8000)}` }],
    ['a key in another header', { authorization: 'Bearer mv_live_x' }],
  ])('answers 401 to %s', async (_, headers) => {
    const response = await post(headers);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual({
      error: { code: 'unauthorized', message: 'The X-API-Key header is missing or holds no valid key.' },
    });
  });

  it('answers 401 before it reads the body', async () => {
    const response = await post({ 'x-api-key': 'wrong' }, '{"broken');
    expect(response.statusCode).toBe(401);
    expect((await post({ 'x-api-key': key }, '{"broken')).statusCode).toBe(400);
  });

  it('requires a key even without its guard', async () => {
    const url = '/probe/forgotten';
    expect((await app.inject({ url, headers: { host: 'api.test' } })).statusCode).toBe(401);
    expect((await app.inject({ url, headers: { host: 'api.test', 'x-api-key': key } })).statusCode).toBe(200);
  });

  it('stays closed if it is also marked public', async () => {
    const response = await app.inject({ url: '/probe/contradictory', headers: { host: 'api.test', 'x-api-key': key } });
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ error: { code: 'internal_error' } });
  });

  it('logs no key', async () => {
    await post({ 'x-api-key': key });
    await post({ 'x-api-key': generateApiKey('mv', 'live') });
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join('')).not.toMatch(/mv_(live|test)_/);
  });
});

describe('while the database is down', () => {
  let orphan: NestFastifyApplication;
  beforeAll(async () => {
    orphan = await start('mysql://nobody:x@127.0.0.1:1/nothing_test');
  });
  afterAll(() => orphan.close());

  it('a well-formed key gets 503 with Retry-After, a malformed one gets 401', async () => {
    const ask = (header: string) =>
      orphan.inject({ url: '/probe/forgotten', headers: { host: 'api.test', 'x-api-key': header } });
    const response = await ask(key);
    expect(response.statusCode).toBe(503);
    expect(response.headers['retry-after']).toBe('2');
    expect(response.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    expect((await ask('no key')).statusCode).toBe(401);
  });
});

it('the use of keys is stored when the process has stopped', async () => {
  const leaving = await start(database.url);
  await database.dataSource.query('UPDATE api_keys SET last_used_at = NULL');
  await leaving.inject({ url: '/probe/forgotten', headers: { host: 'api.test', 'x-api-key': key } });
  await leaving.close();
  const rows = await database.dataSource.query<{ last_used_at: Date | null }[]>('SELECT last_used_at FROM api_keys');
  expect(rows.filter((row) => row.last_used_at !== null)).toHaveLength(1);
});
