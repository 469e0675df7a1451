import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fault, json, shown } from '../support/cli.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';

let database: MigratedDatabase;
let folder: string;
/** `npm run test:chaos` has more. */
const ENTRIES = Number(process.env['CURATED_ENTRIES'] ?? 20_000);
const given = process.env['DATABASE_URL'];
beforeAll(async () => {
  database = await createMigratedDatabase();
  folder = await mkdtemp(join(tmpdir(), 'mailvet-lists-'));
  process.env['DATABASE_URL'] = database.url;
});
afterAll(async () => {
  process.env['DATABASE_URL'] = given;
  await rm(folder, { recursive: true });
  await database.drop();
});
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM curated_entries');
  await database.dataSource.query('DELETE FROM audit_log');
});

async function file(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, lines.join('\n'));
  return path;
}
const acts = () =>
  database.dataSource.query<{ actor: string; action: string; subject: string | null; details: unknown }[]>(
    'SELECT actor, action, subject, details FROM audit_log ORDER BY id',
  );

describe('blocklist', () => {
  it('adds, changes, lists and removes entries', async () => {
    const added = await json('blocklist', 'add', 'Bücher.EXAMPLE.', '--label', 'phishing', '--note', 'ticket 7');
    expect(added).toEqual({ domain: 'xn--bcher-kva.example', outcome: 'added' });
    expect(await json('blocklist', 'list')).toEqual([
      {
        domain: 'xn--bcher-kva.example',
        label: 'phishing',
        note: 'ticket 7',
        created_at: expect.stringMatching(/^20\d\d-.*Z$/),
      },
    ]);
    const again = ['blocklist', 'add', 'xn--bcher-kva.example'];
    expect(await shown(...again, '--label', 'scam')).toBe(
      'xn--bcher-kva.example was on the blocklist before: what is said of it was updated. In effect everywhere within 5 seconds.',
    );
    expect(await shown(...again)).toBe(
      'xn--bcher-kva.example was on the blocklist before, just so: nothing was changed.',
    );
    expect(await json('blocklist', 'list')).toMatchObject([{ label: 'scam', note: 'ticket 7' }]);
    expect(await json(...again, '--label', '')).toMatchObject({ outcome: 'updated' });
    expect(await json('blocklist', 'list')).toMatchObject([{ label: null, note: 'ticket 7' }]);
    expect(await shown('blocklist', 'list')).toMatch(
      /^DOMAIN +LABEL +NOTE +SINCE\nxn--bcher-kva\.example +- +ticket 7 +20/,
    );
    expect(await json('blocklist', 'remove', 'bücher.example')).toEqual({
      domain: 'xn--bcher-kva.example',
      outcome: 'removed',
    });
    expect(await shown('blocklist', 'list')).toMatch(
      /^Nothing is on the blocklist\. To put one there, type: .* DOMAIN$/,
    );
  });

  it('writes an audit row for every change, without the note', async () => {
    await json('blocklist', 'add', 'a.example', '--label', 'phishing', '--note', 'a secret of ours');
    await json('blocklist', 'add', 'a.example');
    await json('blocklist', 'add', 'a.example', '--note', 'another secret');
    await json('blocklist', 'import', await file('ours.csv', 'b.example,scam,secret too'));
    await json('blocklist', 'remove', 'a.example');
    const rows = await acts();
    expect(rows.map(({ action, subject, details }) => [action, subject, details])).toEqual([
      ['blocklist.add', 'a.example', { outcome: 'added', label: 'phishing' }],
      ['blocklist.add', 'a.example', { outcome: 'updated' }],
      ['blocklist.import', null, { file: 'ours.csv', added: 1, updated: 0, unchanged: 0 }],
      ['blocklist.remove', 'a.example', null],
    ]);
    expect(rows.every(({ actor }) => actor.startsWith('operator:'))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain('secret');
  });

  it.each([
    [['add', 'ada@example.com'], '<domain>: is an address: type only its domain, what stands behind the @'],
    [['add', 'com'], '<domain>: is a public suffix: it would cover the domains of everybody below it'],
    [['add', 'co.uk'], '<domain>: is a public suffix: it would cover the domains of everybody below it'],
    [['add', 'https://example.com'], '<domain>: must be a domain such as example.com; it covers the names below it'],
    [
      ['remove', 'other.example'],
      'other.example is not on the blocklist. To see what is, type: node dist/cli blocklist list',
    ],
  ])('%j: explains the fault in one line', async (argv, line) => {
    expect(await fault('blocklist', ...argv)).toBe(`error: ${line}`);
    expect(await acts()).toEqual([]);
  });

  it('refuses a label or note that is too long', async () => {
    expect(await fault('blocklist', 'add', 'a.example', '--label', 'x'.repeat(101))).toMatch(
      /--label <label>: must be at most 100 printable characters/,
    );
    expect(await fault('blocklist', 'add', 'a.example', '--note', 'a\nb')).toMatch(
      /--note <note>: must be at most 500/,
    );
  });
});

describe('import', () => {
  it('reports its counts', async () => {
    await json('blocklist', 'add', 'a.example', '--label', 'phishing', '--note', 'kept');
    await json('blocklist', 'add', 'b.example', '--label', 'phishing');
    const path = await file(
      'mixed.csv',
      'domain,label,note',
      '# ours',
      'a.example',
      'b.example,scam',
      'c.example,,new',
    );
    expect(await json('blocklist', 'import', path)).toEqual({ added: 1, updated: 1, unchanged: 1 });
    expect(await shown('blocklist', 'import', path)).toBe('0 added, 0 updated, 3 unchanged.');
    expect(await json('blocklist', 'list')).toMatchObject([
      { domain: 'a.example', label: 'phishing', note: 'kept' },
      { domain: 'b.example', label: 'scam', note: null },
      { domain: 'c.example', label: null, note: 'new' },
    ]);
  });

  it('names the first twenty bad lines, and imports nothing', async () => {
    const bad = Array.from({ length: 25 }, (_, index) => `person${index}@example.com`);
    const line = await fault('spamtrap', 'import', await file('bad.txt', 'ok.example', ...bad, 'co.uk'));
    expect(line).toMatch(
      /^error: nothing was imported, for 26 bad lines: line 2 is an address.*; line 21 .*; and 6 more$/,
    );
    expect(line).not.toMatch(/line 22|person/);
    expect(await json('spamtrap', 'list')).toEqual([]);
  });

  it('refuses a file that is no list', async () => {
    expect(await fault('blocklist', 'import', join(folder, 'nowhere'))).toBe('error: <file>: is not there');
    expect(await fault('blocklist', 'import', folder)).toBe('error: <file>: is a folder: name a file');
    const path = join(folder, 'latin');
    await writeFile(path, Buffer.from([0x62, 0xfc, 0x63, 0x68]));
    expect(await fault('blocklist', 'import', path)).toBe('error: <file>: is no UTF-8 text');
    expect(await json('blocklist', 'import', await file('empty', '# nothing'))).toEqual({
      added: 0,
      updated: 0,
      unchanged: 0,
    });
  });

  it(`imports ${ENTRIES} lines`, async () => {
    const lines = Array.from({ length: ENTRIES }, (_, index) => `d${index}.example,"reason, ${index % 20}",imported`);
    const path = await file('long.csv', ...lines);
    const began = performance.now();
    expect(await json('blocklist', 'import', path)).toEqual({ added: ENTRIES, updated: 0, unchanged: 0 });
    process.stdout.write(`${ENTRIES} lines imported in ${Math.round(performance.now() - began)} ms\n`);
    const began2 = performance.now();
    expect((await shown('blocklist', 'list')).split('\n')).toHaveLength(ENTRIES + 1);
    process.stdout.write(`${ENTRIES} rows shown in ${Math.round(performance.now() - began2)} ms\n`);
  });
});

describe('spamtrap', () => {
  it('accepts domains and mail hosts', async () => {
    expect(await json('spamtrap', 'add', 'trap.example')).toEqual({ domain: 'trap.example', outcome: 'added' });
    expect(await json('spamtrap', 'add', 'mx_1.trap.example.net', '--note', 'who runs it')).toMatchObject({
      outcome: 'added',
    });
    expect(await json('spamtrap', 'import', await file('traps.txt', 'more.example'))).toMatchObject({ added: 1 });
    expect(await json('spamtrap', 'list')).toMatchObject([
      { domain: 'more.example' },
      { domain: 'mx_1.trap.example.net', note: 'who runs it' },
      { domain: 'trap.example' },
    ]);
    expect(await json('spamtrap', 'remove', 'trap.example')).toEqual({ domain: 'trap.example', outcome: 'removed' });
    expect(await json('blocklist', 'list')).toEqual([]);
  });
});

describe('noprobe', () => {
  it('accepts domains, mail hosts and address ranges, and normalises them', async () => {
    expect(await json('noprobe', 'add', '192.0.2.77/24', '--note', 'asked by mail')).toEqual({
      entry: '192.0.2.0/24',
      outcome: 'added',
    });
    expect(await json('noprobe', 'add', '192.0.2.1/24')).toEqual({ entry: '192.0.2.0/24', outcome: 'unchanged' });
    expect(await json('noprobe', 'add', '2001:DB8:0::25')).toEqual({ entry: '2001:db8::25/128', outcome: 'added' });
    expect(await json('noprobe', 'add', 'MX.Quiet.example.')).toEqual({ entry: 'mx.quiet.example', outcome: 'added' });
    expect(await json('noprobe', 'list')).toEqual([
      { entry: '192.0.2.0/24', note: 'asked by mail', created_at: expect.any(String) },
      { entry: '2001:db8::25/128', note: null, created_at: expect.any(String) },
      { entry: 'mx.quiet.example', note: null, created_at: expect.any(String) },
    ]);
    expect(await json('noprobe', 'remove', '192.0.2.200/24')).toEqual({ entry: '192.0.2.0/24', outcome: 'removed' });
    expect(await fault('noprobe', 'remove', '192.0.2.0/24')).toMatch(
      /^error: 192\.0\.2\.0\/24 is not on the do-not-probe list\./,
    );
  });

  it('refuses ranges that are too large, and anything else', async () => {
    expect(await fault('noprobe', 'add', '0.0.0.0/0')).toMatch(/at least \/8, for IPv6 at least \/16/);
    expect(await fault('noprobe', 'add', '192.0.2.0/33')).toMatch(/a domain, a mail host or an address range such as/);
    expect(await fault('noprobe', 'add', 'com')).toMatch(/public suffix/);
    expect(await fault('noprobe', 'import', 'x')).toMatch(/needs one of: add, remove, list|unknown command/);
  });
});
