import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { MemberRole } from '../../src/console/people/role.js';
import { ListsRepository } from '../../src/console/lists/lists.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { idToBytes, newId } from '../../src/platform/ids/uuid.js';
import { entriesOf, mismatches } from './billing-support.js';
import { askConsole, ConsoleBench, type ConsoleAnswer, type ConsoleAsk, type SignedInUser } from './console-bench.js';
import { addresses, completeJob, resultOf } from './jobs-api.js';
import { purge } from '../support/purge.js';

type Body = Record<string, unknown>;

let bench: ConsoleBench;
let app: NestFastifyApplication;
let second: NestFastifyApplication;
let account: string;
let other: string;
const users: Partial<Record<MemberRole | 'stranger', SignedInUser>> = {};

beforeAll(async () => {
  bench = await ConsoleBench.start();
  await bench.database.dataSource.query(
    `INSERT INTO plans (name, requests_per_minute, free_verifies_per_month, guard_decisions_per_month)
      VALUES ('test', 60000, 0, 1000)`,
  );
  [app, second] = [await bench.startConsole(), await bench.startConsole()];
  [account, other] = [await bench.makeAccount('Acme', 'test'), await bench.makeAccount('Other', 'test')];
  for (const role of ['viewer', 'member'] as const)
    users[role] = await bench.makeUser({ accounts: { [account]: role } });
  users.stranger = await bench.makeUser({ accounts: { [other]: 'owner' } });
  for (const accountId of [account, other]) {
    const grant = { accountId, credits: 1000, kind: 'purchased', reference: `invoice:${newId()}` } as const;
    await new LedgerRepository(bench.database.dataSource).grant(grant, 'test');
  }
});
afterAll(() => bench?.close());

const as = (who: MemberRole | 'stranger', path: string, asked: ConsoleAsk = {}, at = app): Promise<ConsoleAnswer> =>
  askConsole(at, `accounts/${account}/lists${path}`, { ...asked, token: users[who]!.token });
const create = async (parts: number, total: number): Promise<string> => {
  const body = { name: ' Leads ', file_name: 'leads.csv', parts, total };
  return String(((await as('member', '', { method: 'POST', body })).body as Body)['id']);
};
const submit = (list: string, part: number, emails: readonly unknown[], at = app) =>
  as('member', `/${list}/parts/${part}`, { method: 'PUT', body: { emails } }, at);
const read = async (list: string) => (await as('viewer', `/${list}`)).body as Body;
const chargesOf = async () =>
  (await entriesOf(bench.database.dataSource, account)).filter(({ kind }) => kind === 'charge');
const complete = (job: unknown, resultFor?: (email: string) => unknown) =>
  completeJob(bench.database.dataSource, String(job), resultFor);

describe('a list', () => {
  it('is uploaded part by part, each a job and a charge, and read as one', async () => {
    expect(await as('viewer', '', { method: 'POST', body: { name: 'x', parts: 1, total: 1 } })).toMatchObject({
      status: 403,
    });
    const list = await create(2, 5);
    expect(await read(list)).toMatchObject({
      name: 'Leads',
      file_name: 'leads.csv',
      mode: 'standard',
      status: 'uploading',
      total: 5,
      submitted: 0,
      done: 0,
      parts: 2,
      parts_submitted: 0,
      completed_at: null,
      charged: { credits: 0, free_verifies: 0 },
      created_by: users.member!.email.split('@', 1)[0],
    });
    const before = (await chargesOf()).length;
    const first = await submit(list, 1, addresses(3));
    expect(first).toMatchObject({
      status: 200,
      body: { part: 1, job_id: expect.any(String) as string, charged: { credits: 3, free_verifies: 0 }, balance: 997 },
    });
    expect(await read(list)).toMatchObject({
      status: 'uploading',
      submitted: 3,
      parts_submitted: 1,
      charged: { credits: 3 },
    });
    const last = await submit(list, 2, ['ann(at)example.com', 'ada@gmail.example']);
    expect(last.body).toMatchObject({ part: 2, charged: { credits: 1 }, balance: 996 });
    expect(await read(list)).toMatchObject({ status: 'processing', submitted: 5, done: 1, charged: { credits: 4 } });
    expect((await chargesOf()).slice(before).map(({ reference }) => reference)).toEqual(
      [first, last].map(({ body }) => `job:${String((body as Body)['job_id'])}`),
    );
    for (const path of ['summary', 'results']) {
      expect(await as('viewer', `/${list}/${path}`)).toMatchObject({
        status: 409,
        body: { error: { code: 'job_processing' } },
      });
    }
    expect(await as('member', `/${list}`, { method: 'DELETE' })).toMatchObject({ status: 409 });

    await complete((first.body as Body)['job_id']);
    await complete((last.body as Body)['job_id'], (email) =>
      resultOf(email, {
        mx_record: 'alt1.aspmx.l.google.com',
        result: 'role',
        reason: 'role_address',
        deliverable: null,
        decision: { recommendation: 'review', reasons: [] },
      }),
    );
    const done = await read(list);
    expect(done).toMatchObject({ status: 'completed', done: 5, rate_per_second: null, seconds_left: null });
    expect(Date.parse(String(done['completed_at']))).toBeGreaterThan(0);
    const results = (await as('viewer', `/${list}/results`)).body as unknown as {
      results: Body[];
      total: number;
      offset: number;
    };
    expect([results.total, results.offset]).toEqual([5, 0]);
    expect(results.results.map(({ email }) => email)).toEqual([
      ...addresses(3),
      'ann(at)example.com',
      'ada@gmail.example',
    ]);
    expect(results.results.at(-1)).toMatchObject({ provider: 'google', result: 'role' });
    expect(results.results[0]).toMatchObject({ provider: null, result: 'valid' });
    expect(results.results[3]).toEqual({
      email: 'ann(at)example.com',
      error: 'invalid_email',
      suggested_correction: 'ann@example.com',
    });
    const some = (await as('viewer', `/${list}/results?offset=2&limit=2`)).body as unknown as { results: Body[] };
    expect(some.results.map(({ email }) => email)).toEqual(['user-2@company.example', 'ann(at)example.com']);
    expect((await as('viewer', `/${list}/results?offset=9`)).body).toMatchObject({ results: [] });
    const summary = {
      verdicts: { valid: 3, invalid: 0, catch_all: 0, disposable: 0, role: 1, unknown: 0 },
      reasons: [
        { reason: 'mailbox_accepts', count: 3 },
        { reason: 'role_address', count: 1 },
        { reason: 'invalid_email', count: 1 },
      ],
      providers: [
        { provider: 'other', count: 3 },
        { provider: 'google', count: 1 },
      ],
      decisions: { allow: 3, deny: 0, review: 1 },
      deliverable: 3,
      total: 5,
      grade: { letter: 'A', points: 90 },
    };
    // From its results, and from what is on record of them.
    expect((await as('viewer', `/${list}/summary`)).body).toMatchObject(summary);
    expect((await as('viewer', `/${list}/summary`)).body).toMatchObject(summary);
    const events = await as('viewer', `/${list}/events`);
    expect(events.headers['content-type']).toMatch(/^text\/event-stream/);
    expect(events.text).toMatch(/^event: progress\ndata: \{"id".*\n\nevent: end\ndata: \{\}\n\n$/);

    expect(await as('member', `/${list}`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await as('viewer', `/${list}`)).toMatchObject({ status: 404 });
    const [jobs] = await bench.database.dataSource.query<{ visible: string }[]>(
      'SELECT COUNT(*) AS visible FROM jobs WHERE account_id = ? AND expires_at > UTC_TIMESTAMP(3)',
      [idToBytes(account)],
    );
    expect(Number(jobs!.visible)).toBe(0);
    expect(await mismatches(bench.database.dataSource, account)).toEqual([]);
  });

  it('stores and charges a part once, however often and wherever it is sent', async () => {
    const list = await create(1, 4);
    const before = (await chargesOf()).length;
    const emails = addresses(4, 'twice.example');
    // A part that another request stores in the same moment is refused, and its repeat is answered.
    const racing = await Promise.all([
      submit(list, 1, emails),
      submit(list, 1, emails, second),
      submit(list, 1, emails),
    ]);
    expect(racing.map(({ status }) => status).every((status) => [200, 409].includes(status))).toBe(true);
    const repeat = await submit(list, 1, emails, second);
    expect(repeat).toMatchObject({ status: 200, body: { part: 1, charged: { credits: 0, free_verifies: 0 } } });
    const stored = racing.filter(({ status }) => status === 200).map(({ body }) => (body as Body)['job_id']);
    expect(new Set([...stored, (repeat.body as Body)['job_id']]).size).toBe(1);
    expect((await chargesOf()).slice(before)).toHaveLength(1);
    const [rows] = await bench.database.dataSource.query<{ jobs: string; entries: string }[]>(
      `SELECT (SELECT COUNT(*) FROM list_parts WHERE list_id = ?) AS jobs,
        (SELECT COUNT(*) FROM job_entries WHERE sent LIKE '%twice.example') AS entries`,
      [idToBytes(list)],
    );
    expect(rows).toEqual({ jobs: '1', entries: '4' });
    expect(await submit(list, 1, addresses(4, 'else.example'))).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    expect(await mismatches(bench.database.dataSource, account)).toEqual([]);
  });

  it('keeps the parts before one that cannot be paid', async () => {
    const poor = await bench.makeAccount('Poor', 'test');
    const { token } = await bench.makeUser({ accounts: { [poor]: 'member' } });
    const grant = { accountId: poor, credits: 3, kind: 'purchased', reference: `invoice:${newId()}` } as const;
    await new LedgerRepository(bench.database.dataSource).grant(grant, 'test');
    const ask = (path: string, method: ConsoleAsk['method'], body?: unknown) =>
      askConsole(app, `accounts/${poor}/lists${path}`, { method, body, token });
    const made = (await ask('', 'POST', { name: 'Leads', parts: 2, total: 4 })).body as Body;
    expect(await ask(`/${String(made['id'])}/parts/1`, 'PUT', { emails: addresses(2) })).toMatchObject({ status: 200 });
    const refused = await ask(`/${String(made['id'])}/parts/2`, 'PUT', { emails: addresses(2, 'more.example') });
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'insufficient_credits' } } });
    expect(refused.headers['x-credits-required']).toBe('1');
    expect((await ask(`/${String(made['id'])}`, 'GET')).body).toMatchObject({ status: 'uploading', submitted: 2 });
    expect(await mismatches(bench.database.dataSource, poor)).toEqual([]);
  });

  it('is another call than that of another list or part under the same Idempotency-Key', async () => {
    const [one, two] = [await create(2, 4), await create(2, 4)];
    const keyed = (list: string, part: number) =>
      as('member', `/${list}/parts/${part}`, {
        method: 'PUT',
        body: { emails: addresses(2, 'same.example') },
        headers: { 'idempotency-key': 'same key' },
      });
    const first = await keyed(one, 1);
    const answers = [first, await keyed(two, 1), await keyed(one, 2)];
    expect(new Set(answers.map(({ body }) => (body as Body)['job_id'])).size).toBe(3);
    expect(await keyed(one, 1)).toMatchObject({ status: 200, body: { job_id: (first.body as Body)['job_id'] } });
    for (const [list, submitted] of [
      [one, 4],
      [two, 2],
    ] as const)
      expect(await read(list)).toMatchObject({ submitted });
  });

  it('takes no part that it does not have, nor more addresses than it has', async () => {
    const list = await create(2, 2);
    for (const part of [0, 3, 1000]) expect(await submit(list, part, addresses(1))).toMatchObject({ status: 404 });
    expect(await submit(list, 1, addresses(3))).toMatchObject({ status: 409 });
    expect(await submit(list, 1, [])).toMatchObject({ status: 422 });
    for (const body of [
      { name: 'x', parts: 2, total: 1 },
      { name: 'x', parts: 0, total: 1 },
      { name: 'x', parts: 201, total: 500 },
      { name: ' ', parts: 1, total: 1 },
      { name: 'x', parts: 1, total: 1, mode: 'quick' },
    ]) {
      expect(await as('member', '', { method: 'POST', body })).toMatchObject({ status: 422 });
    }
  });

  it('of another account does not exist', async () => {
    const list = await create(1, 1);
    await submit(list, 1, addresses(1));
    const theirs = (path: string, asked: ConsoleAsk = {}) =>
      askConsole(app, `accounts/${other}/lists/${list}${path}`, { ...asked, token: users.stranger!.token });
    for (const path of ['', '/events', '/summary', '/results'])
      expect(await theirs(path)).toMatchObject({ status: 404 });
    expect(await theirs('', { method: 'DELETE' })).toMatchObject({ status: 404 });
    expect(await theirs('/parts/1', { method: 'PUT', body: { emails: ['a@b.example'] } })).toMatchObject({
      status: 404,
    });
    expect(await as('stranger', `/${list}`)).toMatchObject({ status: 404 });
    expect(
      ((await askConsole(app, `accounts/${other}/lists`, { token: users.stranger!.token })).body as Body)['lists'],
    ).toEqual([]);
    const listed = (await as('viewer', '?limit=1')).body as unknown as { lists: Body[]; next: string | null };
    expect(listed.lists.map(({ id }) => id)).toEqual([list]);
    expect(listed.next).toBe(list);
    const rest = (await as('viewer', `?limit=50&cursor=${list}`)).body as unknown as { lists: Body[] };
    expect(rest.lists.map(({ id }) => id)).not.toContain(list);
  });

  it('is in the audit log when it is made and when it is removed', async () => {
    const list = await create(1, 1);
    expect(await as('member', `/${list}`, { method: 'DELETE' })).toMatchObject({ status: 204 });
    expect(await as('member', `/${list}`, { method: 'DELETE' })).toMatchObject({ status: 404 });
    const acts = await bench.database.dataSource.query<unknown[]>(
      'SELECT actor, action FROM audit_log WHERE account_id = ? AND subject = ? ORDER BY id',
      [idToBytes(account), list],
    );
    const actor = `user:${users.member!.id}`;
    expect(acts).toEqual([
      { actor, action: 'list.create' },
      { actor, action: 'list.delete' },
    ]);
  });

  it('is watched until it is completed', async () => {
    const list = await create(1, 1);
    const { body } = await submit(list, 1, addresses(1, 'watched.example'));
    const watched = as('viewer', `/${list}/events`);
    await complete((body as Body)['job_id']);
    expect((await watched).text).toMatch(/"status":"completed".*\n\nevent: end\n/);
  });

  it('is gone when it expires, and with its account', async () => {
    const lists = new ListsRepository(bench.database.dataSource);
    const list = await create(1, 1);
    await bench.database.dataSource.query('UPDATE lists SET expires_at = UTC_TIMESTAMP(3) WHERE id = ?', [
      idToBytes(list),
    ]);
    expect(await as('viewer', `/${list}`)).toMatchObject({ status: 404 });
    expect(await submit(list, 1, addresses(1))).toMatchObject({ status: 404 });
    await purge(lists);
    const rows = async () => (await bench.database.dataSource.query<unknown[]>('SELECT id FROM lists')).length;
    const left = await rows();
    expect(left).toBeGreaterThan(0);
    await lists.erase(account);
    expect((await lists.list(account, null, 10)).length).toBe(0);
    expect(await rows()).toBeLessThan(left);
  });
});
