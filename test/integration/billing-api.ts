import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createApi } from '../../src/roles/api.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds, type World } from '../lab/world.js';
import { expectDescribed } from '../support/openapi/expect-described.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

/** Plans of the tests: their names say how many free verifies a month they have. */
const PLANS = [0, 1, 100, 40];

/** `info@` of the first: billed, and nobody is asked. Of the second everything is accepted, and that is known. */
const WORLD: World = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, bob: ACCEPTED } }),
  domainWithHost('everybody.example', { otherRecipients: ACCEPTED }),
  domainWithHost('slow.example', { recipients: { ada: ACCEPTED, bob: ACCEPTED }, delayMs: 400 }),
  { dns: { 'known-catch-all.example': { MX: [[10, 'mxa.mailgun.org']] } }, hosts: { 'mxa.mailgun.org': {} } },
);

export interface Caller {
  readonly accountId: string;
  readonly live: string;
  readonly test: string;
}

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE';
  readonly url?: string;
  /** As it is sent; null: none. */
  readonly payload?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The database may be down. */
  readonly mayLackBalance?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

/** API processes on a database, a Redis and a laboratory of their own. */
export class BillingBench {
  private readonly apps: NestFastifyApplication[] = [];
  readonly logged: string[] = [];

  private constructor(
    readonly database: MigratedDatabase,
    private readonly redis: TestRedis,
    readonly lab: Laboratory,
  ) {}

  /** @param more beside its own world */
  static async start(...more: readonly World[]): Promise<BillingBench> {
    const [database, redis, lab] = [
      await createMigratedDatabase(),
      await claimTestRedis(),
      await startLaboratory(joinWorlds(WORLD, ...more)),
    ];
    for (const free of PLANS) {
      await database.dataSource.query(
        'INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month) VALUES (?, 60000, ?, 1000)',
        [`free-${free}`, free],
      );
    }
    return new BillingBench(database, redis, lab);
  }

  get redisUrl(): string {
    return this.redis.url;
  }

  async startApi(env: NodeJS.ProcessEnv = {}): Promise<NestFastifyApplication> {
    const settings = loadConfig('api', {
      DATABASE_URL: this.database.url,
      REDIS_URL: this.redis.url,
      ...laboratoryEnvironment(this.lab),
      SMTP_CHECK_DOMAINS: 'none',
      ...env,
    });
    const app = await createApi(settings, createLog('info', { write: (line) => void this.logged.push(line) }));
    await app.listen({ host: '127.0.0.1', port: 0 });
    this.apps.push(app);
    return app;
  }

  async newCaller(plan: string, credits: { purchased?: number; gifted?: number } = {}): Promise<Caller> {
    const accountId = newId();
    await new AccountRepository(this.database.dataSource).insert({ id: accountId, name: 'Acme', plan }, 'test');
    for (const [kind, count] of Object.entries(credits)) await this.grant(accountId, count, kind as 'purchased');
    const keys = new KeyManagementService(new ApiKeyRepository(this.database.dataSource), { keys: { prefix: 'mv' } });
    const make = async (mode: 'live' | 'test') => (await keys.create(accountId, mode, null, 'test'))!.key;
    return { accountId, live: await make('live'), test: await make('test') };
  }

  async grant(accountId: string, credits: number, kind: 'purchased' | 'gifted' = 'purchased'): Promise<void> {
    const ledger = new LedgerRepository(this.database.dataSource);
    await ledger.grant({ accountId, credits, kind, reference: `grant:${newId()}` }, 'test');
  }

  async close(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    await this.lab.stop();
    await this.redis.release();
    await this.database.drop();
  }
}

export const single = (email: string, mode?: string): string => JSON.stringify({ email, ...(mode && { mode }) });
/** Billed like any other, and answered without asking a mail host. */
export const BILLED = single('info@company.example');

export async function ask(app: NestFastifyApplication, key: string | null, asked: Asked = {}): Promise<Answered> {
  const { method = 'POST', url = '/v1/verify/single', payload = BILLED, headers = {}, mayLackBalance = false } = asked;
  const response = await app.inject({
    method,
    url,
    ...(payload === null || method === 'GET' ? {} : { payload }),
    headers: {
      host: 'api.test',
      ...(payload === null || method === 'GET' ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'x-api-key': key }),
      ...headers,
    },
  });
  const text = response.body;
  const { headers: answered, statusCode: status } = response;
  expectDescribed({ method, url, status, headers: answered, body: text, key, mayLackBalance });
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status, headers: answered, text, body };
}
