import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AccountDeletionRepository } from '../../src/auth/deletion/account-deletion.repository.js';
import { AccountPeopleRepository } from '../../src/console/people/account-people.repository.js';
import { ExpiredAccessRepository } from '../../src/console/session/expired-access.repository.js';
import { hashToken } from '../../src/console/session/token.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { fault, json, shown } from '../support/cli.js';
import { askConsole, ConsoleBench, type ConsoleAsk, type SignedInUser } from './console-bench.js';

let bench: ConsoleBench;
let app: NestFastifyApplication;
const given = { ...process.env };
beforeAll(async () => {
  bench = await ConsoleBench.start();
  Object.assign(process.env, bench.environment, { CONSOLE_ORIGIN: 'http://localhost:3002' });
  app = await bench.startConsole();
});
afterAll(async () => {
  process.env = given;
  await bench.close();
});

interface Invited {
  readonly user_id: string;
  readonly known: boolean;
  readonly link: string;
}
interface Team {
  readonly members: readonly { readonly user_id: string; readonly role: string; readonly invited: boolean }[];
  readonly invitations: readonly { readonly user_id: string; readonly role: string; readonly expires_at: string }[];
}

const query = <T>(sql: string, values: unknown[] = []) => bench.database.dataSource.query<T>(sql, values);
const ask = (url: string, more: ConsoleAsk = {}) => askConsole(app, url, more);
const tokenOf = (link: string): string => new URL(link).hash.replace('#token=', '');
const read = (link: string) => ask('welcome/read', { method: 'POST', body: { token: tokenOf(link) } });
const join = (link: string, token: string | null) =>
  ask('welcome/join', { method: 'POST', body: { token: tokenOf(link) }, token });

/** An account with an owner, and somebody of another account. */
async function accountAndStranger() {
  const [account, other] = [await bench.makeAccount('Acme'), await bench.makeAccount('Other')];
  const owner = await bench.makeUser({ accounts: { [account]: 'owner' } });
  const stranger = await bench.makeUser({ accounts: { [other]: 'owner' } });
  const path = `accounts/${account}/members`;
  const invite = async (user: Pick<SignedInUser, 'email'> = stranger, role = 'developer') => {
    const answer = await ask(path, { method: 'POST', body: { email: user.email, role }, token: owner.token });
    return { status: answer.status, ...(answer.body as Invited) };
  };
  const team = async (by = owner) => (await ask(path, { token: by.token })).body as Team;
  return { account, other, owner, stranger, path, invite, team };
}

describe('somebody who has a sign-in already', () => {
  it('becomes a member by opening the link while signed in, and not before', async () => {
    const { account, stranger, owner, path, invite, team } = await accountAndStranger();
    const { status, known, link, user_id } = await invite();
    expect([status, known, user_id]).toEqual([201, true, stranger.id]);
    expect((await ask(path, { token: stranger.token })).status).toBe(404);
    expect(await team()).toMatchObject({
      members: [{ user_id: owner.id }],
      invitations: [{ user_id: stranger.id, email: stranger.email, role: 'developer' }],
    });
    expect((await read(link)).body).toEqual({
      kind: 'membership',
      email: null,
      name: null,
      account: { id: account, name: 'Acme' },
      role: 'developer',
      operator: false,
    });
    const elsewhere = await bench.makeSession(stranger.id);
    const joined = await join(link, stranger.token);
    expect(joined.status).toBe(204);
    // The rights rose: this session has another token, and the others have ended.
    expect((await ask(path, { token: joined.cookie })).status).toBe(200);
    for (const token of [stranger.token, elsewhere]) expect((await ask('me', { token })).status).toBe(401);
    expect(await team()).toMatchObject({
      members: [{ user_id: owner.id }, { user_id: stranger.id, role: 'developer' }],
      invitations: [],
    });
    const acts = await query<{ action: string; actor: string }[]>(
      'SELECT action, actor FROM audit_log WHERE account_id = ? AND subject = ? ORDER BY id',
      [idToBytes(account), stranger.id],
    );
    expect(acts).toEqual([
      { action: 'member.invite', actor: `user:${owner.id}` },
      { action: 'member.join', actor: `user:${stranger.id}` },
    ]);
  });

  it('whose password the owner of another account chose enters no account by that', async () => {
    const [theirs, mine] = [await bench.makeAccount('Theirs'), await bench.makeAccount('Mine')];
    const attacker = await bench.makeUser({ accounts: { [theirs]: 'owner' } });
    const owner = await bench.makeUser({ accounts: { [mine]: 'owner' } });
    const boss = { email: `boss.${newId()}@example.com`, role: 'viewer' };
    const invite = async (account: string, { token }: SignedInUser) =>
      (await ask(`accounts/${account}/members`, { method: 'POST', body: boss, token })).body as Invited;
    const first = await invite(theirs, attacker);
    const body = { token: tokenOf(first.link), password: 'a password of the attacker' };
    const { cookie } = await ask('welcome', { method: 'POST', body });

    await invite(mine, owner);
    const me = (await ask('me', { token: cookie })).body as { accounts: { id: string }[] };
    expect(me.accounts.map(({ id }) => id)).toEqual([theirs]);
    expect((await ask(`accounts/${mine}/members`, { token: cookie })).status).toBe(404);
    const asOperator = await json<{ link: string }>('user', 'create', '--email', boss.email, '--operator');
    expect((await ask('admin/plans', { token: cookie })).status).toBe(403);
    expect(asOperator.link).toContain('/welcome#token=');
  });

  it('joins by no link that is for somebody else', async () => {
    const { invite, stranger, owner, team } = await accountAndStranger();
    const { link } = await invite();
    expect(await join(link, owner.token)).toMatchObject({ status: 403, cookie: null });
    expect((await join(link, null)).status).toBe(401);
    const foreign = { method: 'POST', body: { token: tokenOf(link) }, token: stranger.token } as const;
    expect((await ask('welcome/join', { ...foreign, headers: { origin: 'http://evil.example' } })).status).toBe(403);
    const half = await bench.makeSession(stranger.id, 'code');
    expect((await join(link, half)).status).toBe(401);
    expect((await team()).members).toHaveLength(1);
    // No password is chosen on it either.
    const password = { token: tokenOf(link), password: 'a good long password' };
    expect((await ask('welcome', { method: 'POST', body: password })).status).toBe(404);
    expect((await join(link, stranger.token)).status).toBe(204);
  });

  it('joins once, also by two requests at once', async () => {
    const { invite, stranger } = await accountAndStranger();
    const { link } = await invite();
    const sessions = [stranger.token, await bench.makeSession(stranger.id)];
    const both = await Promise.all(sessions.map((token) => join(link, token)));
    expect(both.filter(({ status }) => status === 204)).toHaveLength(1);
    const { cookie } = both.find(({ status }) => status === 204)!;
    expect((await join(link, cookie)).status).toBe(404);
    expect((await ask('me', { token: cookie })).status).toBe(200);
    expect((await invite()).status).toBe(409);
  });

  it('cannot join when the link is too old, replaced or withdrawn', async () => {
    const { invite, stranger, owner, path, team } = await accountAndStranger();
    const replaced = await invite();
    const old = await invite(stranger, 'viewer');
    expect((await team()).invitations).toMatchObject([{ role: 'viewer' }]);
    expect((await join(replaced.link, stranger.token)).status).toBe(404);
    await query('UPDATE invitations SET expires_at = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE token_sha256 = ?', [
      Buffer.from(hashToken(tokenOf(old.link))!, 'hex'),
    ]);
    expect((await join(old.link, stranger.token)).status).toBe(404);
    expect((await read(old.link)).status).toBe(404);
    expect((await team()).invitations).toEqual([]);
    await new ExpiredAccessRepository(bench.database.dataSource).deleteInvitations(100);
    expect(await query('SELECT 1 FROM invitations WHERE user_id = ?', [idToBytes(stranger.id)])).toEqual([]);

    const { link } = await invite();
    const withdraw = (by: SignedInUser, at = path) =>
      ask(`${at}/${stranger.id}/invitation`, { method: 'DELETE', token: by.token });
    expect((await withdraw(stranger)).status).toBe(404);
    expect((await withdraw(owner)).status).toBe(204);
    expect((await withdraw(owner)).status).toBe(404);
    expect((await join(link, stranger.token)).status).toBe(404);
    // It is still signed in: nothing of theirs has changed.
    expect((await ask('me', { token: stranger.token })).status).toBe(200);
  });

  it('is invited by each account apart, and the owners of one see and withdraw nothing of another', async () => {
    const { invite, stranger, other, team } = await accountAndStranger();
    const second = await bench.makeAccount('Second');
    const owner = await bench.makeUser({ accounts: { [second]: 'owner' } });
    const { link } = await invite();
    const path = `accounts/${second}/members`;
    await ask(path, { method: 'POST', body: { email: stranger.email, role: 'viewer' }, token: owner.token });
    expect((await team()).invitations).toMatchObject([{ role: 'developer' }]);
    expect(((await ask(path, { token: owner.token })).body as Team).invitations).toMatchObject([{ role: 'viewer' }]);
    await ask(`${path}/${stranger.id}/invitation`, { method: 'DELETE', token: owner.token });
    expect((await team()).invitations).toHaveLength(1);
    const ofOther = (await ask(`accounts/${other}/members`, { token: stranger.token })).body as Team;
    expect(ofOther.invitations).toEqual([]);
    expect((await join(link, stranger.token)).status).toBe(204);
  });

  it('cannot join an account that is gone, with its members but operators and those of others', async () => {
    const { account, invite, stranger, other } = await accountAndStranger();
    const { link } = await invite();
    const { dataSource } = bench.database;
    const actor = { name: 'test', address: null };
    const made = [
      { [account]: 'viewer' },
      { [account]: 'viewer', [other]: 'viewer' },
      { [account]: 'viewer' },
    ] as const;
    const [alone, elsewhere, operator] = await Promise.all(made.map((accounts) => bench.makeUser({ accounts })));
    await query('UPDATE users SET operator = 1 WHERE id = ?', [idToBytes(operator!.id)]);
    await new AccountDeletionRepository(dataSource).delete(account, [new AccountPeopleRepository(dataSource)], actor);
    const left = await Promise.all(
      [alone, elsewhere, operator].map((user) => query('SELECT 1 FROM users WHERE id = ?', [idToBytes(user!.id)])),
    );
    expect((left as unknown[][]).map(({ length }) => length)).toEqual([0, 1, 1]);
    expect((await join(link, stranger.token)).status).toBe(404);
    expect(await query('SELECT 1 FROM invitations WHERE user_id = ?', [idToBytes(stranger.id)])).toEqual([]);
  });

  it('takes one of the 500 places of the account', async () => {
    const { account, invite, stranger } = await accountAndStranger();
    const others = Array.from({ length: 498 }, () => idToBytes(newId()));
    await query('INSERT INTO users (id, email, name, created_at) VALUES ?', [
      others.map((id) => [id, `${id.toString('hex')}@example.com`, 'A', new Date()]),
    ]);
    await query('INSERT INTO memberships (user_id, account_id, role, created_at) VALUES ?', [
      others.map((id) => [id, idToBytes(account), 'viewer', new Date()]),
    ]);
    const { link, status } = await invite();
    expect(status).toBe(201);
    expect((await invite({ email: `${newId()}@example.com` })).status).toBe(429);
    expect((await join(link, stranger.token)).status).toBe(204);
  });
});

describe('a link of a user who has been here', () => {
  it('is given by no owner, for its password would open other accounts too', async () => {
    const { invite, stranger, path, owner } = await accountAndStranger();
    await join((await invite()).link, stranger.token);
    await query("UPDATE users SET last_signed_in_at = UTC_TIMESTAMP(3), password_hash = 'x' WHERE id = ?", [
      idToBytes(stranger.id),
    ]);
    await json('user', 'reset', stranger.email);
    const link = () => ask(`${path}/${stranger.id}/link`, { method: 'POST', token: owner.token });
    expect((await link()).status).toBe(409);
  });

  it('nor is one of an operator who has not come yet', async () => {
    const { account, path, owner } = await accountAndStranger();
    const email = `${newId()}@example.com`;
    const made = ['--email', email, '--account', account, '--role', 'viewer', '--operator'];
    const { id } = await json<{ id: string }>('user', 'create', ...made);
    expect((await ask(`${path}/${id}/link`, { method: 'POST', token: owner.token })).status).toBe(409);
  });
});

describe('user create with the email of a user', () => {
  it('prints a link, by which the user joins and becomes an operator', async () => {
    const { account, stranger } = await accountAndStranger();
    const made = ['--email', stranger.email, '--account', account, '--role', 'viewer', '--operator'];
    const { id, link } = await json<{ id: string; link: string }>('user', 'create', ...made);
    expect(id).toBe(stranger.id);
    expect((await read(link)).body).toMatchObject({ role: 'viewer', operator: true });
    expect((await ask('admin/plans', { token: stranger.token })).status).toBe(403);
    const { cookie } = await join(link, stranger.token);
    expect((await ask('admin/plans', { token: cookie })).status).toBe(200);
    expect((await ask('me', { token: cookie })).body).toMatchObject({ accounts: [{ id: account }, {}] });
    expect(await fault('user', 'create', ...made)).toMatch(/a member of the account already/);
    expect(await fault('user', 'create', '--email', stranger.email, '--operator')).toMatch(/an operator already/);
  });

  it('says what the user has to do, and what the operator can', async () => {
    const stranger = await bench.makeUser({ accounts: { [await bench.makeAccount()]: 'owner' } });
    const text = await shown('user', 'create', '--email', stranger.email, '--operator');
    expect(text).toMatch(/^http:\/\/localhost:3002\/welcome#token=[\w-]{43}\n/);
    expect(text).toMatch(/nothing has changed yet: it does when they open the link and sign in as before/);
    expect(text).toContain(`user reset ${stranger.email}`);
    const link = text.split('\n', 1)[0]!;
    expect((await read(link)).body).toMatchObject({ account: null, role: null, operator: true });
    const { cookie } = await join(link, stranger.token);
    expect((await ask('me', { token: cookie })).body).toMatchObject({ user: { operator: true } });
  });
});
