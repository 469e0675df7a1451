import { Logger } from '@nestjs/common';
import { inspect } from 'node:util';
import { CuratedEntriesRepository, type WantedEntry } from '../../src/domains/curated/curated-entries.repository.js';
import type { CuratedKind } from '../../src/domains/curated/curated-kind.js';
import { CuratedListsProvider } from '../../src/domains/curated/curated-lists-provider.js';
import {
  CuratedTablesRepository,
  NEVER_READ,
  type VersionedTables,
} from '../../src/domains/curated/curated-tables.repository.js';
import { StaticCuratedLists } from '../../src/engine/signals/static-curated-lists.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { OPERATOR_ENTITIES } from '../../src/roles/operator-entities.js';
import { liveBytes } from '../engine/left-over.js';
import { breakableLink } from '../support/breakable-link.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { waitUntil } from '../support/wait-until.js';

Logger.overrideLogger(false);

/** What a command promises. */
/** Of each list; `npm run test:chaos` has more. */
const ENTRIES = Number(process.env['CURATED_ENTRIES'] ?? 20_000);
const MOST_OCTETS_OF_ENTRY = 200;
const PROMISE_MS = 5000;
/** How late it may be when the machine is busy. */
const MARGIN_MS = 5000;

let database: MigratedDatabase;
let entries: CuratedEntriesRepository;
let tables: CuratedTablesRepository;
beforeAll(async () => {
  database = await createMigratedDatabase();
  entries = new CuratedEntriesRepository(database.dataSource);
  tables = new CuratedTablesRepository(database.dataSource);
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.dataSource.query('DELETE FROM curated_entries');
  await database.dataSource.query('DELETE FROM audit_log');
});

const put = (kind: CuratedKind, ...wanted: WantedEntry[]) =>
  entries.upsert(kind, wanted, (counts) => ({ actor: 'test', action: 'put', subject: null, details: { ...counts } }));
const remove = (kind: CuratedKind, entry: string) =>
  entries.remove(kind, entry, { actor: 'test', action: 'remove', subject: entry });
const stored = async (kind: CuratedKind) =>
  (await entries.list(kind)).map(({ entry, label, note }) => [entry, label, note]);
const acts = () =>
  database.dataSource.query<{ action: string; details: unknown }[]>('SELECT * FROM audit_log ORDER BY id');

describe('entries', () => {
  it('are added, updated with the given fields, and counted', async () => {
    const first = { entry: 'a.example', label: 'phishing', note: 'ticket 7' };
    expect(await put('block', first, { entry: 'b.example' })).toEqual({ added: 2, updated: 0, unchanged: 0 });
    expect(
      await put(
        'block',
        { entry: 'a.example', label: undefined, note: 'ticket 8' },
        { entry: 'b.example' },
        { entry: 'c.example' },
      ),
    ).toEqual({ added: 1, updated: 1, unchanged: 1 });
    expect(await put('block', { entry: 'a.example', label: null })).toEqual({ added: 0, updated: 1, unchanged: 0 });
    expect(await stored('block')).toEqual([
      ['a.example', null, 'ticket 8'],
      ['b.example', null, null],
      ['c.example', null, null],
    ]);
    expect(await stored('spam_trap')).toEqual([]);
  });

  it('keep any text', async () => {
    const entry = { entry: 'a.example', label: '😀'.repeat(100), note: `it's "so"; -- ${'ü'.repeat(480)}` };
    await put('block', entry);
    expect(await stored('block')).toEqual([Object.values(entry)]);
  });

  it('change the version of their list only if something changes', async () => {
    const before = await tables.versions();
    await put('spam_trap', { entry: 'trap.example' });
    expect(await tables.versions()).toEqual({ ...before, spam_trap: before.spam_trap + 1 });
    await put('spam_trap', { entry: 'trap.example' });
    expect(await remove('spam_trap', 'other.example')).toBe(false);
    expect(await tables.versions()).toEqual({ ...before, spam_trap: before.spam_trap + 1 });
    expect(await remove('spam_trap', 'trap.example')).toBe(true);
    expect(await tables.versions()).toEqual({ ...before, spam_trap: before.spam_trap + 2 });
    expect((await acts()).map(({ action }) => action)).toEqual(['put', 'remove']);
  });

  it('survive concurrent changes by several operators', async () => {
    const before = await tables.versions();
    const other = await openDatabase(database.target, { entities: OPERATOR_ENTITIES });
    const repositories = [entries, new CuratedEntriesRepository(other)];
    const wanted = Array.from({ length: 40 }, (_, index) => ({ entry: `d${index % 20}.example` }));
    const counts = await Promise.all(
      wanted.map((one, index) =>
        repositories[index % 2]!.upsert('block', [one], () => ({ actor: 'test', action: 'put', subject: one.entry })),
      ),
    );
    await other.destroy();
    expect(counts.filter(({ added }) => added === 1)).toHaveLength(20);
    expect(await stored('block')).toHaveLength(20);
    expect((await tables.versions()).block).toBe(before.block + 20);
  });

  it('are imported all or none', async () => {
    const before = await tables.versions();
    const tooLong = { entry: 'long.example', note: 'x'.repeat(501) };
    await expect(put('block', { entry: 'a.example' }, tooLong)).rejects.toThrow(/too long/i);
    expect([await stored('block'), await acts()]).toEqual([[], []]);
    expect(await tables.versions()).toEqual(before);
  });
});

describe('the lists in a process', () => {
  /** A host with a connection of its own, as another process has one. */
  async function startHost(url = database.target) {
    const dataSource = await openDatabase(url);
    const repository = new CuratedTablesRepository(dataSource);
    let failed = 0;
    const watched = {
      versions: () =>
        repository.versions().catch((error: unknown) => {
          failed += 1;
          throw error;
        }),
      readAfter: (known: VersionedTables) => repository.readAfter(known),
    } as CuratedTablesRepository;
    const host = new CuratedListsProvider(watched);
    await host.onModuleInit();
    const stop = async (): Promise<void> => {
      host.beforeApplicationShutdown();
      await dataSource.destroy();
    };
    return { host, stop, failed: () => failed };
  }
  /** How long it takes until `holds`; null: longer than promised. */
  async function tookMs(holds: () => boolean): Promise<number | null> {
    const began = performance.now();
    const held = await waitUntil(() => Promise.resolve(holds()), { ms: PROMISE_MS + MARGIN_MS });
    return held === null ? null : Math.round(performance.now() - began);
  }

  it('are loaded at the start, and follow every change in time', async () => {
    await put('block', { entry: 'first.example', label: 'phishing', note: 'a secret of ours' });
    const processes = await Promise.all([startHost(), startHost()]);
    const hosts = processes.map(({ host }) => host);
    for (const host of hosts) expect(host.blocked('mail.first.example')).toEqual({ label: 'phishing' });
    const everywhere = (holds: (host: CuratedListsProvider) => boolean): Promise<number | null> =>
      tookMs(() => hosts.every(holds));

    await put('block', { entry: 'second.example', label: 'scam' });
    const took = [await everywhere((host) => host.blocked('second.example')?.label === 'scam')];
    await put('block', { entry: 'second.example', label: 'worse' });
    took.push(await everywhere((host) => host.blocked('second.example')?.label === 'worse'));
    await remove('block', 'second.example');
    took.push(await everywhere((host) => host.blocked('second.example') === null));
    await put('spam_trap', { entry: 'mx.trap.example' });
    took.push(await everywhere((host) => host.isSpamTrap('a.example', ['mx.trap.example'])));
    await put('no_probe', { entry: 'quiet.example' }, { entry: '192.0.2.0/24' }, { entry: '2001:db8::/32' });
    took.push(await everywhere((host) => host.isNoProbe('quiet.example') && host.isNoProbeAddress('192.0.2.25')));
    process.stdout.write(`changes were in effect in two processes after ${took.join(', ')} ms\n`);
    expect(took).not.toContain(null);
    for (const host of hosts) {
      expect([host.isNoProbeAddress('2001:db8::25'), host.isNoProbeAddress('192.0.3.25')]).toEqual([true, false]);
      expect(inspect(host, { depth: null, maxArrayLength: null })).not.toContain('a secret of ours');
    }
    await Promise.all(processes.map(({ stop }) => stop()));
  });

  it('stay while MySQL is down, and follow again once it is back', async () => {
    await put('block', { entry: 'kept.example' });
    const link = await breakableLink({ host: database.target.host, port: database.target.port });
    await link.restore();
    const { host, stop, failed } = await startHost({ ...database.target, port: link.port });
    await link.cut();
    await put('block', { entry: 'later.example' });
    expect(await tookMs(() => failed() > 0)).not.toBeNull();
    expect([host.blocked('kept.example'), host.blocked('later.example')]).toEqual([{ label: null }, null]);
    await link.restore();
    expect(await tookMs(() => host.blocked('later.example') !== null)).not.toBeNull();
    expect(host.blocked('kept.example')).toEqual({ label: null });
    await stop();
    await link.close();
  });

  it('are loaded later by a process that started without MySQL, which is not ready before', async () => {
    await put('no_probe', { entry: 'quiet.example' });
    const link = await breakableLink({ host: database.target.host, port: database.target.port });
    await link.restore();
    const dataSource = await openDatabase({ ...database.target, port: link.port });
    await link.cut();
    const host = new CuratedListsProvider(new CuratedTablesRepository(dataSource));
    await host.onModuleInit();
    expect(host.ready).toBe(false);
    expect(() => host.blocked('a.example')).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
    await link.restore();
    expect(await tookMs(() => host.ready)).not.toBeNull();
    expect([host.blocked('a.example'), host.isNoProbe('quiet.example'), host.isNoProbe('a.example')]).toEqual([
      null,
      true,
      false,
    ]);
    host.beforeApplicationShutdown();
    await dataSource.destroy();
    await link.close();
  });

  it(`may have ${ENTRIES} entries each`, async () => {
    const name = (index: number): string => `blocked-domain-${index}.example${index % 50}.com`;
    const wanted = Array.from({ length: ENTRIES }, (_, index) => ({
      entry: name(index),
      label: `reason ${index % 20}`,
      note: 'imported',
    }));
    let began = performance.now();
    expect(await put('block', ...wanted)).toEqual({ added: ENTRIES, updated: 0, unchanged: 0 });
    const wroteMs = performance.now() - began;
    began = performance.now();
    expect(await put('block', ...wanted)).toEqual({ added: 0, updated: 0, unchanged: ENTRIES });
    const comparedMs = performance.now() - began;
    await put('spam_trap', ...wanted.map(({ entry }) => ({ entry })));
    await put('no_probe', ...wanted.map(({ entry }) => ({ entry })));

    // The statements and their plans are known by then, as in a process that runs.
    await tables.readAfter({ ...NEVER_READ, versions: await tables.versions() });
    const before = liveBytes();
    began = performance.now();
    const lists = new StaticCuratedLists((await tables.readAfter(NEVER_READ)).tables);
    const readMs = performance.now() - began;
    const after = liveBytes();
    const megabytes = (after.heap + after.buffers - before.heap - before.buffers) / 1e6;

    const rounds = 200_000;
    began = performance.now();
    let hits = 0;
    for (let index = 0; index < rounds; index++) {
      const domain = index % 2 === 0 ? `sub.${name(index % ENTRIES)}` : `customer-${index}.mail.example.org`;
      const host = `mx1.${domain}`;
      if (lists.blocked(domain) !== null) hits += 1;
      if (lists.isSpamTrap(domain, [host])) hits += 1;
      if (lists.isNoProbe(domain) || lists.isNoProbe(host) || lists.isNoProbeAddress('198.51.100.1')) hits += 1;
    }
    const lookUpMicroseconds = ((performance.now() - began) / rounds) * 1000;
    expect(hits).toBe((rounds / 2) * 3);
    process.stdout.write(
      `${ENTRIES} blocked: written in ${Math.round(wroteMs)} ms, compared in ${Math.round(comparedMs)} ms; ` +
        `3 lists of ${ENTRIES}: read in ${Math.round(readMs)} ms, ${megabytes.toFixed(1)} MB; ` +
        `all look-ups of a check: ${lookUpMicroseconds.toFixed(2)} µs\n`,
    );
    expect(megabytes).toBeLessThan((3 * ENTRIES * MOST_OCTETS_OF_ENTRY) / 1e6);
  });
});
