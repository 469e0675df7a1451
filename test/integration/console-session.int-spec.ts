import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ExpiredAccessRepository } from '../../src/console/session/expired-access.repository.js';
import { UserRepository } from '../../src/console/people/user.repository.js';
import { SessionsService } from '../../src/console/session/sessions.service.js';
import { hashToken } from '../../src/console/session/token.js';
import { SecondFactor } from '../../src/console/sign-in/second-factor.js';
import { totpCode } from '../../src/console/sign-in/totp.js';
import { UserRate } from '../../src/console/session/user-rate.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { askConsole, ConsoleBench, ORIGIN } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
});
afterAll(() => bench.close());

const query = (sql: string, values: unknown[] = []) => bench.database.dataSource.query(sql, values);
const me = (token: string | null, headers: Record<string, string> = {}) => askConsole(app, 'me', { token, headers });

describe('the console without a session', () => {
  it('tells what the page has to know', async () => {
    const { status, body } = await askConsole(app, 'options');
    expect(status).toBe(200);
    expect(body).toEqual({
      oidc: false,
      topup_url: null,
      api_url: 'http://127.0.0.1:3000',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it.each([
    ['no cookie', {}],
    ['a token that nobody has', { cookie: `mailvet=${'A'.repeat(43)}` }],
    ['a text that is no token', { cookie: 'mailvet=x' }],
    ['an empty cookie', { cookie: 'mailvet=' }],
  ])('answers 401 to %s', async (_, headers) => {
    const { status, body } = await me(null, headers);
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { code: 'unauthorized' } });
  });

  it('answers 404 and 405 as the API does, and serves its health', async () => {
    expect((await askConsole(app, 'nothing')).status).toBe(404);
    expect((await askConsole(app, 'options', { method: 'DELETE' })).status).toBe(405);
    expect((await askConsole(app, '/health/ready')).status).toBe(200);
    expect((await askConsole(app, '/metrics')).text).not.toContain('# HELP');
  });
});

describe('a session', () => {
  it('tells who is signed in, and the accounts of which they are members', async () => {
    const [first, second] = [await bench.makeAccount('Beta'), await bench.makeAccount('Alpha', 'free')];
    await bench.makeAccount('Others');
    const user = await bench.makeUser({ accounts: { [first]: 'owner', [second]: 'viewer' } });
    const { status, body } = await me(user.token);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: {
        id: user.id,
        email: user.email,
        name: user.email.split('@', 1)[0],
        operator: false,
        totp: false,
        oidc: false,
        has_password: false,
      },
      accounts: [
        { id: second, name: 'Alpha', plan: 'free', suspended: false, role: 'viewer' },
        { id: first, name: 'Beta', plan: 'growth', suspended: false, role: 'owner' },
      ],
      last_account: null,
    });
  });

  it.each([
    ['is past its end', 'expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND, last_used_at = UTC_TIMESTAMP(3)'],
    ['was idle for 12 hours', 'last_used_at = UTC_TIMESTAMP(3) - INTERVAL 12 HOUR - INTERVAL 1 SECOND'],
    ['waits for its code', "stage = 'code'"],
  ])('is none when it %s', async (_, change) => {
    const { token } = await bench.makeUser();
    expect((await me(token)).status).toBe(200);
    await query(`UPDATE sessions SET ${change} WHERE token_sha256 = ?`, [Buffer.from(hashToken(token)!, 'hex')]);
    expect((await me(token)).status).toBe(401);
  });

  it('is none when its user is disabled', async () => {
    const { id, token } = await bench.makeUser();
    await query('UPDATE users SET disabled_at = UTC_TIMESTAMP(3) WHERE id = ?', [idToBytes(id)]);
    expect((await me(token)).status).toBe(401);
  });

  it('goes on while it is used', async () => {
    const { token } = await bench.makeUser();
    const at = (): Promise<{ age: string }[]> =>
      query(
        'SELECT TIMESTAMPDIFF(MINUTE, last_used_at, UTC_TIMESTAMP(3)) AS age FROM sessions WHERE token_sha256 = ?',
        [Buffer.from(hashToken(token)!, 'hex')],
      );
    await query('UPDATE sessions SET last_used_at = UTC_TIMESTAMP(3) - INTERVAL 11 HOUR WHERE token_sha256 = ?', [
      Buffer.from(hashToken(token)!, 'hex'),
    ]);
    expect((await me(token)).status).toBe(200);
    for (let tries = 0; tries < 100 && Number((await at())[0]!.age) > 0; tries++) await me(token);
    expect(Number((await at())[0]!.age)).toBe(0);
  });

  it('ends when its user has begun fifty since', async () => {
    const { id, token } = await bench.makeUser();
    const user = await app.get(UserRepository).getById(id);
    const begin = () => app.get(SessionsService).begin(user, { address: null, userAgent: null });
    for (let i = 0; i < 49; i++) await begin();
    expect((await me(token)).status).toBe(200);
    const last = await begin();
    expect((await me(token)).status).toBe(401);
    expect((await me(last.token)).status).toBe(200);
  });

  it('serves six hundred requests a minute of its user', async () => {
    const [busy, idle] = [await bench.makeUser(), await bench.makeUser()];
    for (let i = 0; i < 600; i++) app.get(UserRate).take(busy.id);
    const { status, body, headers } = await me(busy.token);
    expect([status, body]).toMatchObject([429, { error: { code: 'rate_limit_exceeded' } }]);
    expect(headers['retry-after']).toBe('1');
    expect((await me(idle.token)).status).toBe(200);
  });

  it('is not taken from two cookies of one name', async () => {
    const { token } = await bench.makeUser();
    expect((await me(null, { cookie: `mailvet=${token}; mailvet=${token}` })).status).toBe(401);
    expect((await me(null, { cookie: `other=1; mailvet=${token}` })).status).toBe(200);
  });

  it('comes in a cookie with the prefix where the console is reached by TLS', async () => {
    const secure = await bench.startConsole({ CONSOLE_ORIGIN: 'https://console.example.com' });
    const { token } = await bench.makeUser();
    const ask = (cookie: string) => askConsole(secure, 'me', { headers: { cookie } });
    expect((await ask(`mailvet=${token}`)).status).toBe(401);
    expect((await ask(`__Host-mailvet=${token}`)).status).toBe(200);
  });
});

it('stores no token, and logs none', async () => {
  const { token } = await bench.makeUser();
  await me(token);
  const rows = await query('SELECT HEX(token_sha256) AS hash FROM sessions');
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(bench.logged.join('')).not.toContain(token);
});

describe('a write', () => {
  const write = (headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/console/api/nothing-yet', headers: { host: 'localhost:3002', ...headers } });

  it('is 404 where there is nothing, whatever it says of its origin', async () => {
    expect((await write({})).statusCode).toBe(404);
    expect((await write({ origin: ORIGIN })).statusCode).toBe(404);
  });
});

it('is deleted by a worker when it is over, as links are', async () => {
  const access = new ExpiredAccessRepository(bench.database.dataSource);
  const { id, token } = await bench.makeUser();
  const over = await bench.makeSession(id, 'full', -1);
  await query(
    `INSERT INTO user_links (token_sha256, user_id, kind, expires_at)
      VALUES (RANDOM_BYTES(32), ?, 'reset', UTC_TIMESTAMP(3) - INTERVAL 1 SECOND)`,
    [idToBytes(id)],
  );
  while ((await access.deleteSessions(1)) > 0);
  while ((await access.deleteLinks(1)) > 0);
  const hashes = (await query('SELECT LOWER(HEX(token_sha256)) AS hash FROM sessions WHERE user_id = ?', [
    idToBytes(id),
  ])) as { hash: string }[];
  expect(hashes.map(({ hash }) => hash)).toEqual([hashToken(token)]);
  expect(hashes.map(({ hash }) => hash)).not.toContain(hashToken(over));
  expect(await query('SELECT 1 FROM user_links WHERE user_id = ?', [idToBytes(id)])).toEqual([]);
});

it('takes only recovery codes after thirty wrong codes of a user, from however many addresses', async () => {
  const user = await bench.makeUser();
  const secondFactor = app.get(SecondFactor, { strict: false });
  const whole = { ...user, name: 'Trudy', isOperator: false, sessionId: newId() };
  const secret = fromBase32((await secondFactor.offer(whole)).secret);
  const step = Math.floor(Date.now() / 30_000);
  const [recoveryCode] = await secondFactor.switchOn(whole, totpCode(secret, step - 1), {
    name: 'test',
    address: null,
  });
  const enter = async (codes: readonly string[], from: string) => {
    const token = await bench.makeSession(user.id, 'code');
    const answers = [];
    for (const code of codes) {
      answers.push(await askConsole(app, 'sign-in/code', { method: 'POST', body: { code }, token, from }));
    }
    return answers;
  };
  for (let i = 1; i <= 6; i++) {
    const wrong = await enter(Array<string>(5).fill('000000'), `198.51.100.${i}`);
    expect(wrong.map(({ status }) => status)).toEqual(Array(5).fill(401));
  }
  const [good, recovery] = await enter([totpCode(secret, step + 1), recoveryCode!], '198.51.100.7');
  expect([good!.status, good!.body]).toMatchObject([429, { error: { code: 'too_many_attempts' } }]);
  expect(Number(good!.headers['retry-after'])).toBeGreaterThan(86_000);
  expect([recovery!.status, recovery!.body]).toEqual([200, { status: 'signed_in' }]);
});

function fromBase32(text: string): Buffer {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = [...text].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)));
}

describe('the hidden key of an account', () => {
  it('is in no list, and nobody can rotate or revoke it', async () => {
    const account = await bench.makeAccount();
    const id = newId();
    await query(
      `INSERT INTO api_keys (id, account_id, mode, name, sha256, last_four, hidden, created_at)
        VALUES (?, ?, 'live', 'console', RANDOM_BYTES(32), '----', 1, UTC_TIMESTAMP(3))`,
      [idToBytes(id), idToBytes(account)],
    );
    const keys = new ApiKeyRepository(bench.database.dataSource);
    expect(await keys.listOf(account)).toEqual([]);
    expect(await keys.findById(id)).toBeNull();
    expect(await keys.revoke(id, 'test')).toBeNull();
    const next = { id: newId(), sha256: 'ab'.repeat(32), lastFour: 'abcd' };
    expect(await keys.rotate(id, next, 0, 'test', async () => undefined)).toEqual({ kind: 'unknown' });
  });
});
