import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountRepository } from '../../src/auth/account.repository.js';
import type { MemberRole } from '../../src/console/people/role.js';
import { hashToken, newToken } from '../../src/console/session/token.js';
import { insertSession } from '../../src/console/session/session.repository.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createConsole } from '../../src/roles/console.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';

export const ORIGIN = 'http://localhost:3002';
const HOST = 'localhost:3002';

export interface ConsoleAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly body: object;
  /** The value of the session's cookie, where the answer sets one. */
  readonly cookie: string | null;
}

export interface ConsoleAsk {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  /** Token of the session. */
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the client. */
  readonly from?: string;
}

export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}

/** Console processes on a database and a Redis of their own. */
export class ConsoleBench {
  private readonly apps: NestFastifyApplication[] = [];
  readonly logged: string[] = [];

  private constructor(
    readonly database: MigratedDatabase,
    private readonly redis: TestRedis,
  ) {}

  static async start(): Promise<ConsoleBench> {
    const [database, redis] = [await createMigratedDatabase(), await claimTestRedis()];
    return new ConsoleBench(database, redis);
  }

  get environment(): Record<string, string> {
    return { DATABASE_URL: this.database.url, REDIS_URL: this.redis.url, SMTP_CHECK_DOMAINS: 'none' };
  }

  async startConsole(further: Readonly<Record<string, string>> = {}): Promise<NestFastifyApplication> {
    const log = createLog('debug', { write: (line) => void this.logged.push(line) });
    const app = await createConsole(loadConfig('console', { ...this.environment, ...further }), log);
    this.apps.push(app);
    return app.init();
  }

  async close(): Promise<void> {
    for (const app of this.apps) await app.close();
    await this.redis.release();
    await this.database.drop();
  }

  async makeAccount(name = 'Acme', plan = 'growth'): Promise<string> {
    const id = newId();
    await new AccountRepository(this.database.dataSource).insert({ id, name, plan }, 'test');
    return id;
  }

  /** A user with a session, straight in the tables. */
  async makeUser({
    email = `${newId()}@example.com`,
    accounts = {},
    operator = false,
  }: {
    readonly email?: string;
    readonly accounts?: Readonly<Record<string, MemberRole>>;
    readonly operator?: boolean;
  } = {}): Promise<SignedInUser> {
    const id = newId();
    const query = (sql: string, values: unknown[]) => this.database.dataSource.query(sql, values);
    await query('INSERT INTO users (id, email, name, operator, created_at) VALUES (?, ?, ?, ?, UTC_TIMESTAMP(3))', [
      idToBytes(id),
      email,
      email.split('@', 1)[0],
      operator ? 1 : 0,
    ]);
    for (const [account, role] of Object.entries(accounts)) {
      await query(
        'INSERT INTO memberships (user_id, account_id, role, created_at) VALUES (?, ?, ?, UTC_TIMESTAMP(3))',
        [idToBytes(id), idToBytes(account), role],
      );
    }
    return { id, email, token: await this.makeSession(id) };
  }

  async makeSession(userId: string, stage: 'code' | 'full' = 'full', lifeSeconds = 3600): Promise<string> {
    const token = newToken();
    await insertSession(this.database.dataSource.manager, {
      id: newId(),
      userId,
      tokenSha256: hashToken(token)!,
      stage,
      lifeSeconds,
      address: '192.0.2.1',
      userAgent: 'test',
    });
    return token;
  }
}

/** Asks a console as its own page does. */
export async function askConsole(
  app: NestFastifyApplication,
  url: string,
  ask: ConsoleAsk = {},
): Promise<ConsoleAnswer> {
  const { method = 'GET', body, token = null, headers = {}, from } = ask;
  const response = await app.inject({
    method,
    url: url.startsWith('/') ? url : `/console/api/${url}`,
    headers: {
      host: HOST,
      ...(method === 'GET' ? {} : { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }),
      ...(token === null ? {} : { cookie: `mailvet=${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    ...(from === undefined ? {} : { remoteAddress: from }),
  });
  const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: isJson && response.body !== '' ? response.json<object>() : {},
    cookie: cookieIn(response.headers['set-cookie']),
  };
}

function cookieIn(header: string | string[] | number | undefined): string | null {
  const lines = [header ?? []].flat().map(String);
  return (
    lines.map((line) => /^(?:__Host-)?mailvet=([^;]*)/.exec(line)?.[1]).find((value) => value !== undefined) ?? null
  );
}
