import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { UserRepository } from '../../src/console/people/user.repository.js';
import { SessionsService } from '../../src/console/session/sessions.service.js';
import { Passwords } from '../../src/console/sign-in/passwords.js';
import { SignInAttempts } from '../../src/console/sign-in/sign-in-attempts.js';
import { totpCode } from '../../src/console/sign-in/totp.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { fault, json, shown } from '../support/cli.js';
import { askConsole, ConsoleBench, type ConsoleAsk } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
let account: string;
const given = { ...process.env };
beforeAll(async () => {
  bench = await ConsoleBench.start();
  Object.assign(process.env, bench.environment, { CONSOLE_ORIGIN: 'http://localhost:3002' });
  app = await bench.startConsole();
  account = await bench.makeAccount();
});
afterAll(async () => {
  process.env = given;
  await bench.close();
});

const CLIENT = { address: '192.0.2.1', userAgent: null };
const PASSWORD = 'correct horse battery';
const query = <T>(sql: string, values: unknown[] = []) => bench.database.dataSource.query<T>(sql, values);
const ask = (url: string, more: ConsoleAsk = {}) => askConsole(app, url, more);
const post = (url: string, body: unknown, more: ConsoleAsk = {}) => ask(url, { method: 'POST', body, ...more });
const signIn = (email: string, password: string, from = '192.0.2.1') => post('sign-in', { email, password }, { from });
type Counts = Readonly<Record<string, number>>;
/** What the metrics say of tries of a password. */
async function countedSteps(): Promise<Counts> {
  const metric = app.get(Metrics).registry.getSingleMetric('mailvet_console_sign_ins_total')!;
  const { values } = (await metric.get()) as { values: { value: number; labels: Record<string, string> }[] };
  const ofPasswords = values.filter(({ labels }) => labels['step'] === 'password');
  return Object.fromEntries(ofPasswords.map(({ value, labels }) => [labels['outcome'], value]));
}
let lastAddress = 10;
/** Another network for each test, so that their tries do not add up. */
const freshAddress = (): string => `198.51.100.${(lastAddress += 1)}`;
const tokenOf = (link: string): string => new URL(link).hash.replace('#token=', '');

async function invite(email: string, role = 'owner'): Promise<string> {
  const { link } = await json<{ link: string }>(
    'user',
    'create',
    '--email',
    email,
    '--account',
    account,
    '--role',
    role,
  );
  return tokenOf(link);
}

/** A user with a password. @returns the token of a session */
async function makeUser(email: string): Promise<string> {
  const { status, cookie } = await post(
    'welcome',
    { token: await invite(email), password: PASSWORD },
    { from: freshAddress() },
  );
  expect(status).toBe(200);
  return cookie!;
}

describe('the first sign-in', () => {
  it('begins with a link, on which a person chooses a password', async () => {
    const email = 'ada@example.com';
    const printed = await json<{ id: string; link: string }>(
      'user',
      'create',
      '--email',
      'Ada@Example.com',
      '--account',
      account,
      '--role',
      'developer',
    );
    expect(printed.link).toMatch(/^http:\/\/localhost:3002\/welcome#token=[\w-]{43}$/);
    const token = tokenOf(printed.link);
    const read = await post('welcome/read', { token });
    expect(read.body).toEqual({
      email,
      name: 'ada',
      account: { id: account, name: 'Acme' },
      kind: 'invitation',
      role: null,
      operator: false,
    });
    const chosen = await post('welcome', { token, password: PASSWORD, name: 'Ada L.' }, { from: '203.0.113.9' });
    expect([chosen.status, chosen.body]).toEqual([200, { status: 'signed_in' }]);
    expect(String(chosen.headers['set-cookie'])).toMatch(
      /^mailvet=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    const me = await ask('me', { token: chosen.cookie });
    expect(me.body).toMatchObject({
      user: { id: printed.id, email, name: 'Ada L.', has_password: true },
      accounts: [{ id: account, role: 'developer' }],
    });
    // The link is used up.
    expect((await post('welcome/read', { token })).status).toBe(404);
    expect((await post('welcome', { token, password: PASSWORD })).status).toBe(404);
    expect((await signIn(email, PASSWORD)).body).toEqual({ status: 'signed_in' });
    const acts = await query<{ action: string; actor: string; address: string | null }[]>(
      'SELECT action, actor, address FROM audit_log WHERE subject = ? ORDER BY id',
      [printed.id],
    );
    expect(acts.map(({ action, address }) => [action, address])).toEqual([
      ['member.add', null],
      ['user.password', '203.0.113.9'],
      ['user.sign-in', '203.0.113.9'],
      ['user.sign-in', '192.0.2.1'],
    ]);
    expect(acts[1]!.actor).toBe(`user:${printed.id}`);
  });

  it('takes one of two who use a link at once', async () => {
    const token = await invite('twice@example.com');
    const both = await Promise.all([1, 2].map(() => post('welcome', { token, password: PASSWORD })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
  });

  it.each([
    ['short', 'x'.repeat(11), 'password must have at least 12 characters'],
    ['long', 'x'.repeat(201), 'password must have at most 200 characters'],
  ])('takes no password that is too %s', async (_, password, message) => {
    const token = await invite(`${password.length}@example.com`);
    const { status, body } = await post('welcome', { token, password });
    expect([status, body]).toEqual([422, { error: { code: 'validation_failed', message } }]);
    expect((await post('welcome/read', { token })).status).toBe(200);
  });

  it('is over after 24 hours', async () => {
    const token = await invite('late@example.com');
    const left = await query<{ minutes: number | string }[]>(
      `SELECT TIMESTAMPDIFF(MINUTE, UTC_TIMESTAMP(3), l.expires_at) AS minutes FROM user_links l
        JOIN users u ON u.id = l.user_id WHERE u.email = 'late@example.com'`,
    );
    expect(left.map(({ minutes }) => Number(minutes))).toEqual([24 * 60 - 1]);
    await query('UPDATE user_links SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');
    expect((await post('welcome/read', { token })).status).toBe(404);
    expect((await post('welcome', { token, password: PASSWORD })).status).toBe(404);
  });
});

describe('a sign-in', () => {
  it('says the same of a wrong password, an unknown email, a disabled user and one without a password', async () => {
    await makeUser('bob@example.com');
    await makeUser('gone@example.com');
    await invite('invited@example.com');
    await json('user', 'disable', 'gone@example.com');
    const answers = await Promise.all(
      [
        ['bob@example.com', 'wrong password'],
        ['nobody@example.com', PASSWORD],
        ['gone@example.com', PASSWORD],
        ['invited@example.com', PASSWORD],
      ].map(([email, password]) => signIn(email!, password!, freshAddress())),
    );
    for (const { status, body, cookie } of answers) {
      expect([status, cookie]).toEqual([401, null]);
      expect(body).toEqual(answers[0]!.body);
    }
    expect(answers[0]!.body).toMatchObject({ error: { code: 'sign_in_failed' } });
  });

  it('is refused after ten failed ones of a network for an email, known or not, and from nowhere else', async () => {
    await makeUser('carol@example.com');
    const [from, elsewhere] = [freshAddress(), freshAddress()];
    const before = await countedSteps();
    for (const email of ['carol@example.com', 'unknown@example.com']) {
      const tries = [];
      for (let i = 0; i < 12; i++) tries.push(await signIn(email, 'wrong password', from));
      expect(tries.map(({ status }) => status)).toEqual([...Array(10).fill(401), 429, 429]);
      expect(tries[10]!.body).toMatchObject({ error: { code: 'too_many_attempts' } });
      expect(Number(tries[10]!.headers['retry-after'])).toBeGreaterThan(3000);
    }
    expect((await signIn('Carol@example.com', PASSWORD, from)).status).toBe(429);
    expect((await signIn('carol@example.com', PASSWORD, elsewhere)).status).toBe(200);
    const since = (name: string, counts: Counts): number => (counts[name] ?? 0) - (before[name] ?? 0);
    const after = await countedSteps();
    expect(['passed', 'failed', 'refused'].map((name) => since(name, after))).toEqual([1, 20, 5]);
  });

  it('is refused after thirty failed ones of a network, also when they come at once', async () => {
    const from = freshAddress();
    const statuses: number[] = [];
    for (let round = 0; round < 8; round++) {
      const some = await Promise.all(
        Array.from({ length: 5 }, (_, i) => signIn(`${round}.${i}@example.com`, 'wrong password', from)),
      );
      statuses.push(...some.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  it('that succeeds does not count', async () => {
    await makeUser('often@example.com');
    const from = freshAddress();
    for (let i = 0; i < 12; i++) expect((await signIn('often@example.com', PASSWORD, from)).status).toBe(200);
  });

  it('is refused after a hundred of a network for an email, of which none has failed', async () => {
    await makeUser('loop@example.com');
    const [from, elsewhere] = [freshAddress(), freshAddress()];
    const attempts = app.get(SignInAttempts);
    for (let i = 0; i < 99; i++) {
      await attempts.begin('loop@example.com', from);
      await attempts.forgive('loop@example.com', from);
    }
    expect((await signIn('loop@example.com', PASSWORD, from)).status).toBe(200);
    const refused = await signIn('loop@example.com', PASSWORD, from);
    expect([refused.status, refused.body]).toMatchObject([429, { error: { code: 'too_many_attempts' } }]);
    expect((await signIn('loop@example.com', PASSWORD, elsewhere)).status).toBe(200);
  });

  it('that was under way while the password was ended begins nothing', async () => {
    await makeUser('straddle@example.com');
    const users = app.get(UserRepository);
    const before = (await users.findByEmail('straddle@example.com'))!;
    await json('user', 'reset', 'straddle@example.com');
    const late = app.get(SessionsService).begin(before, CLIENT);
    await expect(late).rejects.toMatchObject({ code: 'unauthorized' });
    // Nor does a change of the password bring it back.
    const actor = { name: `user:${before.id}`, address: null };
    expect(await users.changePassword(before.id, before.passwordHash, before.passwordHash!, actor)).toBe(false);
    expect((await signIn('straddle@example.com', PASSWORD, freshAddress())).status).toBe(401);
  });

  it('that was under way while codes were switched on begins no whole session', async () => {
    await makeUser('early@example.com');
    const before = (await app.get(UserRepository).findByEmail('early@example.com'))!;
    await query('UPDATE users SET totp_on_at = UTC_TIMESTAMP(3) WHERE email = ?', ['early@example.com']);
    await expect(app.get(SessionsService).begin(before, CLIENT)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('waits for its turn to hash, and is refused when too many wait', async () => {
    const tries = await Promise.all(
      Array.from({ length: 30 }, (_, i) => signIn(`${i}@crowd.example`, 'wrong password', freshAddress())),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(10);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('is one of two that hash and eight that wait in a process', async () => {
    const passwords = app.get(Passwords);
    const tries = await Promise.allSettled(Array.from({ length: 13 }, () => passwords.matches(null, PASSWORD)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2 + 8);
  });

  it('needs a page of our own', async () => {
    const { status, body } = await post(
      'sign-in',
      { email: 'a@example.com', password: PASSWORD },
      { headers: { origin: 'http://evil.example' } },
    );
    expect([status, body]).toEqual([
      403,
      expect.objectContaining({ error: expect.objectContaining({ code: 'forbidden' }) }),
    ]);
  });
});

describe('a session', () => {
  it('ends by signing out', async () => {
    const token = await makeUser('dave@example.com');
    const out = await post('sign-out', undefined, { token });
    expect([out.status, out.cookie]).toEqual([204, '']);
    expect((await ask('me', { token })).status).toBe(401);
  });

  it('is listed with the others of its user, who may end them', async () => {
    const first = await makeUser('erin@example.com');
    const second = (await signIn('erin@example.com', PASSWORD, freshAddress())).cookie!;
    const third = (await signIn('erin@example.com', PASSWORD, freshAddress())).cookie!;
    const { sessions } = (await ask('me/sessions', { token: first })).body as {
      sessions: { id: string; current: boolean }[];
    };
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    const stranger = await makeUser('stranger@example.com');
    const other = sessions.find(({ current }) => !current);
    const end = (token: string) => ask(`me/sessions/${other!.id}`, { method: 'DELETE', token });
    expect((await end(stranger)).status).toBe(404);
    expect((await end(first)).status).toBe(204);
    expect((await end(first)).status).toBe(404);
    expect((await post('me/sessions/end-others', undefined, { token: first })).status).toBe(204);
    const statuses = await Promise.all(
      [first, second, third].map(async (token) => (await ask('me', { token })).status),
    );
    expect(statuses).toEqual([200, 401, 401]);
    expect((await post('sign-out', undefined, { token: first })).status).toBe(204);
    const { id } = (await app.get(UserRepository).findByEmail('erin@example.com'))!;
    const acts = await query<{ action: string; actor: string }[]>(
      "SELECT action, actor FROM audit_log WHERE subject = ? AND action NOT IN ('member.add', 'user.password') ORDER BY id",
      [id],
    );
    expect(new Set(acts.map(({ actor }) => actor))).toEqual(new Set([`user:${id}`]));
    const ends = ['user.end-session', 'user.end-sessions', 'user.sign-out'];
    expect(acts.map(({ action }) => action)).toEqual([...Array(3).fill('user.sign-in'), ...ends]);
  });

  it('gets another token with another password, and the others end', async () => {
    const first = await makeUser('frank@example.com');
    const second = (await signIn('frank@example.com', PASSWORD, freshAddress())).cookie!;
    const change = (current_password: string) =>
      post(
        'me/password',
        { current_password, new_password: 'another good password' },
        { token: first, from: freshAddress() },
      );
    expect((await change('not the password')).body).toMatchObject({ error: { code: 'sign_in_failed' } });
    const { status, cookie } = await change(PASSWORD);
    expect(status).toBe(204);
    for (const token of [first, second]) expect((await ask('me', { token })).status).toBe(401);
    expect((await ask('me', { token: cookie })).status).toBe(200);
    expect((await signIn('frank@example.com', PASSWORD, freshAddress())).status).toBe(401);
    expect((await signIn('frank@example.com', 'another good password', freshAddress())).status).toBe(200);
  });
});

describe('authentication codes', () => {
  const stepNow = () => Math.floor(Date.now() / 30_000);

  async function switchOn(email: string) {
    const token = await makeUser(email);
    const from = freshAddress();
    const { secret } = (await post('me/totp', { password: PASSWORD }, { token, from })).body as { secret: string };
    const raw = fromBase32(secret);
    const wrong = await post('me/totp/confirm', { code: '000000' }, { token });
    expect(wrong.body).toMatchObject({ error: { code: 'sign_in_failed' } });
    const on = await post('me/totp/confirm', { code: totpCode(raw, stepNow() - 1) }, { token });
    expect(on.status).toBe(200);
    return { token, raw, codes: (on.body as { recovery_codes: string[] }).recovery_codes };
  }

  it('are asked for once they are switched on, and each is good once', async () => {
    const email = 'grace@example.com';
    const { raw, token, codes } = await switchOn(email);
    expect(codes).toHaveLength(10);
    expect((await ask('me', { token })).body).toMatchObject({ user: { totp: true } });
    const half = await signIn(email, PASSWORD, freshAddress());
    expect(half.body).toEqual({ status: 'code_required' });
    expect((await ask('me', { token: half.cookie })).status).toBe(401);
    const code = totpCode(raw, stepNow());
    const whole = await post('sign-in/code', { code }, { token: half.cookie });
    expect(whole.body).toEqual({ status: 'signed_in' });
    expect(whole.cookie).not.toBe(half.cookie);
    expect((await ask('me', { token: whole.cookie })).status).toBe(200);
    expect((await ask('me', { token: half.cookie })).status).toBe(401);
    const again = await signIn(email, PASSWORD, freshAddress());
    expect((await post('sign-in/code', { code }, { token: again.cookie })).body).toMatchObject({
      error: { code: 'sign_in_failed' },
    });
  });

  it('may be tried five times, then the sign-in begins anew', async () => {
    const email = 'heidi@example.com';
    const { raw } = await switchOn(email);
    const { cookie } = await signIn(email, PASSWORD, freshAddress());
    for (let i = 0; i < 5; i++) {
      expect((await post('sign-in/code', { code: '000000' }, { token: cookie })).body).toMatchObject({
        error: { code: 'sign_in_failed' },
      });
    }
    const late = await post('sign-in/code', { code: totpCode(raw, stepNow()) }, { token: cookie });
    expect([late.status, late.body]).toEqual([
      401,
      expect.objectContaining({ error: expect.objectContaining({ code: 'unauthorized' }) }),
    ]);
  });

  it('may be guessed at ten sign-ins an hour', async () => {
    const email = 'ivan@example.com';
    await switchOn(email);
    const from = freshAddress();
    const statuses = [];
    for (let i = 0; i < 12; i++) statuses.push((await signIn(email, PASSWORD, from)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
  });

  it('have recovery codes in their place, each good once', async () => {
    const email = 'judy@example.com';
    const { codes } = await switchOn(email);
    const enter = async (code: string) => {
      const { cookie } = await signIn(email, PASSWORD, freshAddress());
      return (await post('sign-in/code', { code }, { token: cookie })).status;
    };
    expect(await enter(codes[0]!.toLowerCase())).toBe(200);
    expect(await enter(codes[0]!)).toBe(401);
    expect(await enter(codes[1]!)).toBe(200);
  });

  it('go with password and code, and are stored sealed', async () => {
    const email = 'kim@example.com';
    const { token, raw, codes } = await switchOn(email);
    const stored = await query<{ totp_secret: Buffer }[]>('SELECT totp_secret FROM users WHERE email = ?', [email]);
    expect(stored[0]!.totp_secret.toString('latin1')).not.toContain(raw.toString('latin1'));
    const off = (password: string, code: string) =>
      ask('me/totp', { method: 'DELETE', body: { password, code }, token, from: freshAddress() });
    expect((await off('not the password', codes[0]!)).status).toBe(401);
    expect((await off(PASSWORD, '000000')).status).toBe(401);
    expect((await off(PASSWORD, codes[0]!)).status).toBe(204);
    expect((await signIn(email, PASSWORD, freshAddress())).body).toEqual({ status: 'signed_in' });
    expect(
      await query('SELECT 1 FROM recovery_codes r JOIN users u ON u.id = r.user_id WHERE u.email = ?', [email]),
    ).toEqual([]);
  });

  it('may be guessed ten times an hour by somebody who is signed in and knows the password', async () => {
    const { token, codes } = await switchOn('lena@example.com');
    const from = freshAddress();
    const off = async (code: string) =>
      (await ask('me/totp', { method: 'DELETE', body: { password: PASSWORD, code }, token, from })).status;
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push(await off('000000'));
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    // A code that is good comes too late.
    expect(await off(codes[0]!)).toBe(429);
  });

  it('are asked for after a reset too, unless the operator says otherwise', async () => {
    const email = 'leo@example.com';
    const { token } = await switchOn(email);
    const reset = await json<{ id: string; link: string }>('user', 'reset', email);
    expect((await ask('me', { token })).status).toBe(401);
    expect((await signIn(email, PASSWORD, freshAddress())).status).toBe(401);
    const welcome = (link: string) => post('welcome', { token: tokenOf(link), password: 'yet another password' });
    expect((await post('welcome/read', { token: tokenOf(reset.link) })).body).toMatchObject({
      kind: 'reset',
      account: null,
    });
    expect((await welcome(reset.link)).body).toEqual({ status: 'code_required' });
    const without = await json<{ link: string }>('user', 'reset', email, '--without-codes');
    expect((await welcome(without.link)).body).toEqual({ status: 'signed_in' });
  });
});

describe('the command user', () => {
  it('lists users, and says what is wrong', async () => {
    await makeUser('mallory@example.com');
    const users = await json<{ email: string; accounts: unknown }[]>('user', 'list');
    expect(users.find(({ email }) => email === 'mallory@example.com')).toMatchObject({
      operator: false,
      totp: false,
      accounts: [{ id: account, name: 'Acme', role: 'owner' }],
    });
    expect(await shown('user', 'list')).toMatch(/^EMAIL .*\n/);
    const create = (...more: string[]) => fault('user', 'create', '--email', 'mallory@example.com', ...more);
    expect(await create('--account', account, '--role', 'owner')).toMatch(/a member of the account already/);
    expect(await create('--account', account)).toMatch(/--account and --role belong together/);
    expect(await create()).toMatch(/--account and --role belong together/);
    expect(await create('--account', '00000000-0000-7000-8000-000000000000', '--role', 'owner')).toMatch(
      /no account has this id/,
    );
    expect(await fault('user', 'create', '--email', 'x', '--account', account, '--role', 'owner')).toMatch(
      /--email <email>: must be an email address/,
    );
    expect(await fault('user', 'reset', 'nobody@example.com')).toMatch(/no user has this email/);
  });

  it('makes operators without an account', async () => {
    const made = await json<{ id: string; link: string }>('user', 'create', '--email', 'ops@example.com', '--operator');
    expect(made.link).toContain('/welcome#token=');
    const rows = await query<{ operator: number }[]>('SELECT operator FROM users WHERE id = ?', [idToBytes(made.id)]);
    expect(rows).toEqual([{ operator: 1 }]);
  });

  it('ends the sessions of a user who is disabled', async () => {
    const token = await makeUser('olga@example.com');
    await json('user', 'disable', 'olga@example.com');
    expect((await ask('me', { token })).status).toBe(401);
  });
});

it('writes no password, token or email into the log', () => {
  const log = bench.logged.join('');
  expect(log).not.toContain(PASSWORD);
  expect(log).not.toContain('@example.com');
});

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  ).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => parseInt(octet, 2)));
}
