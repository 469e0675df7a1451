import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountKeyRepository } from '../../src/console/account-key/account-key.repository.js';
import { KeyManagementService } from '../../src/auth/key-management.service.js';
import { ApiKeyRepository } from '../../src/auth/api-key.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { askConsole, ConsoleBench, type ConsoleAsk, type SignedInUser } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
beforeAll(async () => {
  bench = await ConsoleBench.start();
  app = await bench.startConsole();
});
afterAll(() => bench.close());

const query = <T>(sql: string, values: unknown[] = []) => bench.database.dataSource.query<T>(sql, values);
const ask = (url: string, more: ConsoleAsk = {}) => askConsole(app, url, more);

interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly role: string;
  readonly invited: boolean;
  readonly link?: string | null;
}

async function team(roles: Readonly<Record<string, 'viewer' | 'member' | 'developer' | 'owner'>>) {
  const account = await bench.makeAccount();
  const users: Record<string, SignedInUser> = {};
  for (const [name, role] of Object.entries(roles)) {
    users[name] = await bench.makeUser({ email: `${name}.${newId()}@example.com`, accounts: { [account]: role } });
    await query("UPDATE users SET password_hash = 'x' WHERE id = ?", [idToBytes(users[name].id)]);
  }
  const path = `accounts/${account}/members`;
  const as = (name: string, url = path, more: ConsoleAsk = {}) => ask(url, { token: users[name]!.token, ...more });
  return { account, users, path, as };
}
const roleOf = async (account: string, user: string) =>
  (
    await query<{ role: string }[]>('SELECT role FROM memberships WHERE account_id = ? AND user_id = ?', [
      idToBytes(account),
      idToBytes(user),
    ])
  )[0]?.role;

describe('the members of an account', () => {
  it('are seen by all of them, and by nobody else', async () => {
    const { users, as, path } = await team({ olivia: 'owner', victor: 'viewer' });
    const { members } = (await as('victor')).body as { members: Member[] };
    expect(members.map(({ user_id, role, invited }) => [user_id, role, invited])).toEqual([
      [users['olivia']!.id, 'owner', false],
      [users['victor']!.id, 'viewer', false],
    ]);
    const stranger = await bench.makeUser({ accounts: { [await bench.makeAccount()]: 'owner' }, operator: true });
    expect((await ask(path, { token: stranger.token })).status).toBe(404);
    expect((await ask(path)).status).toBe(401);
  });

  it('are changed by owners alone', async () => {
    const { users, as, path } = await team({ olivia: 'owner', dan: 'developer' });
    const body = { email: 'new@example.com', role: 'viewer' };
    const asDeveloper = await Promise.all([
      as('dan', path, { method: 'POST', body }),
      as('dan', `${path}/${users['olivia']!.id}`, { method: 'PATCH', body: { role: 'viewer' } }),
      as('dan', `${path}/${users['olivia']!.id}`, { method: 'DELETE' }),
      as('dan', `${path}/${users['olivia']!.id}/link`, { method: 'POST' }),
    ]);
    expect(asDeveloper.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('are invited by a link, which can be renewed until it is used', async () => {
    const { as, path } = await team({ olivia: 'owner' });
    const email = `${newId()}@example.com`;
    const invite = () => as('olivia', path, { method: 'POST', body: { email: email.toUpperCase(), role: 'member' } });
    const made = await invite();
    expect(made.status).toBe(201);
    const member = made.body as Member;
    expect(member).toMatchObject({
      email,
      role: 'member',
      known: false,
      link: expect.stringContaining('http://localhost:3002/welcome#token='),
    });
    const { members } = (await as('olivia')).body as { members: Member[] };
    expect(members.find(({ user_id }) => user_id === member.user_id)).toMatchObject({ role: 'member', invited: true });
    expect((await invite()).body).toMatchObject({ error: { code: 'conflict' } });
    const renewed = (await as('olivia', `${path}/${member.user_id}/link`, { method: 'POST' })).body as { link: string };
    const read = async (link: string) =>
      (await ask('welcome/read', { method: 'POST', body: { token: link.split('token=')[1] } })).status;
    expect([await read(member.link!), await read(renewed.link)]).toEqual([404, 200]);
    const token = renewed.link.split('token=')[1];
    expect((await ask('welcome', { method: 'POST', body: { token, password: 'a good long password' } })).status).toBe(
      200,
    );
    const late = await as('olivia', `${path}/${member.user_id}/link`, { method: 'POST' });
    expect(late.body).toMatchObject({ error: { code: 'conflict' } });
  });

  it.each([
    [{ email: 'no address', role: 'viewer' }, 'email must be an email address'],
    [{ email: 'a@example.com', role: 'boss' }, 'role must be one of viewer, member, developer, owner'],
    [{}, 'email is required; role is required'],
  ])('are not invited by %j', async (body, message) => {
    const { as, path } = await team({ olivia: 'owner' });
    expect((await as('olivia', path, { method: 'POST', body })).body).toEqual({
      error: { code: 'validation_failed', message },
    });
  });

  it('sign in again when their role rises, in every browser, and go on when it falls', async () => {
    const { users, as, path } = await team({ olivia: 'owner', dan: 'developer' });
    const { id } = users['dan']!;
    const setRole = (role: string) => as('olivia', `${path}/${id}`, { method: 'PATCH', body: { role } });
    const browsers = [users['dan']!.token, await bench.makeSession(id)];
    const statuses = () => Promise.all(browsers.map(async (token) => (await ask(path, { token })).status));
    for (const role of ['developer', 'viewer']) {
      expect((await setRole(role)).status).toBe(200);
      expect(await statuses()).toEqual([200, 200]);
    }
    expect((await setRole('member')).status).toBe(200);
    expect(await statuses()).toEqual([401, 401]);
    expect((await ask(path, { token: await bench.makeSession(id) })).status).toBe(200);
  });

  it('lose their access at once', async () => {
    const { users, as, path, account } = await team({ olivia: 'owner', victor: 'developer' });
    const member = `${path}/${users['victor']!.id}`;
    expect((await as('olivia', member, { method: 'PATCH', body: { role: 'viewer' } })).body).toMatchObject({
      role: 'viewer',
    });
    expect((await as('victor', path, { method: 'POST', body: {} })).status).toBe(403);
    expect((await as('olivia', member, { method: 'DELETE' })).status).toBe(204);
    expect((await as('victor')).status).toBe(401);
    expect(await roleOf(account, users['victor']!.id)).toBeUndefined();
    // Without an account left, nothing of the user is kept.
    expect(await query('SELECT 1 FROM users WHERE id = ?', [idToBytes(users['victor']!.id)])).toEqual([]);
    expect((await as('olivia', member, { method: 'DELETE' })).status).toBe(404);
  });
});

describe('the last owner', () => {
  it('stays one', async () => {
    const { users, as, path } = await team({ olivia: 'owner', dan: 'developer' });
    const self = `${path}/${users['olivia']!.id}`;
    for (const change of [{ method: 'DELETE' }, { method: 'PATCH', body: { role: 'developer' } }] as const) {
      const { status, body } = await as('olivia', self, change);
      expect([status, body]).toEqual([409, { error: { code: 'last_owner', message: expect.any(String) } }]);
    }
    expect((await as('olivia', self, { method: 'PATCH', body: { role: 'owner' } })).status).toBe(200);
  });

  it('is left when two owners lower each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { users, as, path, account } = await team({ olivia: 'owner', otto: 'owner' });
      const lower = (by: string, whom: string) =>
        as(by, `${path}/${users[whom]!.id}`, { method: 'PATCH', body: { role: 'viewer' } });
      const answers = await Promise.all([lower('olivia', 'otto'), lower('otto', 'olivia')]);
      const owners = await query<{ n: string }[]>(
        "SELECT COUNT(*) AS n FROM memberships WHERE account_id = ? AND role = 'owner'",
        [idToBytes(account)],
      );
      expect(Number(owners[0]!.n)).toBe(1);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });
});

describe('the audit log', () => {
  it('is read by owners, page by page, with names and addresses', async () => {
    const { users, as, account } = await team({ olivia: 'owner', dan: 'developer' });
    const member = `accounts/${account}/members/${users['dan']!.id}`;
    for (const role of ['member', 'viewer']) {
      await as('olivia', member, { method: 'PATCH', body: { role }, from: '203.0.113.7' });
    }
    const url = `accounts/${account}/audit`;
    expect((await as('dan', url)).status).toBe(403);
    type Page = {
      entries: {
        id: string;
        actor: unknown;
        action: string;
        subject: string;
        details: unknown;
        address: string | null;
      }[];
      next: string | null;
    };
    const first = (await as('olivia', `${url}?limit=1`)).body as Page;
    expect(first.entries).toEqual([
      {
        id: expect.any(String),
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        actor: { kind: 'user', name: users['olivia']!.email.split('@')[0] },
        action: 'member.set-role',
        subject: users['dan']!.email.split('@')[0],
        details: { from: 'member', to: 'viewer' },
        address: '203.0.113.7',
      },
    ]);
    const rest = (await as('olivia', `${url}?cursor=${first.next}`)).body as Page;
    expect(rest.entries.map(({ action, actor, address }) => [action, actor, address])).toEqual([
      ['member.set-role', expect.anything(), '203.0.113.7'],
      ['account.create', { kind: 'system', name: 'test' }, null],
    ]);
    expect(rest.next).toBeNull();
    expect((await as('olivia', `${url}?cursor=x`)).status).toBe(422);
  });
});

describe('the hidden key of an account', () => {
  it('is made once, however many ask for it first', async () => {
    const account = await bench.makeAccount();
    const keys = new AccountKeyRepository(bench.database.dataSource);
    const ids = await Promise.all(Array.from({ length: 5 }, () => keys.idOf(account)));
    expect(new Set(ids).size).toBe(1);
    expect(await keys.idOf(newId())).toBeNull();
    const stored = new ApiKeyRepository(bench.database.dataSource);
    const live = await new KeyManagementService(stored, { keys: { prefix: 'mv' } }).create(
      account,
      'live',
      'console',
      'test',
    );
    expect((await stored.listOf(account)).map(({ id }) => id)).toEqual([live!.id]);
  });
});
