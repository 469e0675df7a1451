import { Logger } from '@nestjs/common';
import { ListRefresher } from '../../src/domains/lists/list-refresher.js';
import { RefreshedListsRepository } from '../../src/domains/lists/refreshed-lists.repository.js';
import { SignalListsProvider } from '../../src/domains/lists/signal-lists-provider.js';
import type { ListName } from '../../src/engine/signals/refreshable-lists.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { published, startListServer, type Answer, type ListServer } from '../domains/support/list-server.js';
import { breakableLink } from '../support/breakable-link.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { waitUntil } from '../support/wait-until.js';

Logger.overrideLogger(false);

/** What the documentation promises. */
const PROMISE_MS = 5000;
/** How late it may be when the machine is busy. */
const MARGIN_MS = 5000;

let database: MigratedDatabase;
let rows: RefreshedListsRepository;
let server: ListServer;
let refresher: ListRefresher;
const closing: (() => Promise<void> | void)[] = [];
beforeAll(async () => {
  database = await createMigratedDatabase();
  rows = new RefreshedListsRepository(database.dataSource);
  server = await startListServer(published(''));
  refresher = refresherWith(true);
});
beforeEach(() => database.dataSource.query('DELETE FROM refreshed_lists'));
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  refresher.close();
  await server.close();
  await database.drop();
});

function refresherWith(allowPrivateNetworks: boolean): ListRefresher {
  return new ListRefresher({ dns: { servers: [], timeoutMs: 1000 }, smtp: { allowPrivateNetworks } }, rows);
}

const signal = new AbortController().signal;
/** @param path another one is another source */
function refresh(name: ListName, answer: Answer, { path = '/list.txt', force = true, by = refresher } = {}) {
  server.answer = answer;
  return by.lists.refresh({ name, url: new URL(`http://127.0.0.1:${server.port}${path}`) }, signal, force);
}
const names = (count: number, of = 'thrown'): string =>
  Array.from({ length: count }, (_, index) => `${of}${index}.test\n`).join('');
const version = async (name: ListName) => (await rows.versions()).get(name)?.version ?? 0;

/** A host with a connection of its own, as another process has one. */
async function startHost(target = database.target): Promise<SignalListsProvider> {
  const dataSource = await openDatabase(target);
  const host = new SignalListsProvider(new RefreshedListsRepository(dataSource));
  await host.onModuleInit();
  closing.push(() => {
    host.beforeApplicationShutdown();
    return dataSource.destroy();
  });
  return host;
}
async function tookMs(holds: () => boolean): Promise<number | null> {
  const began = performance.now();
  const held = await waitUntil(() => Promise.resolve(holds()), { ms: PROMISE_MS + MARGIN_MS });
  return held === null ? null : Math.round(performance.now() - began);
}

describe('a fetched list', () => {
  it('is in force in all processes in time, and after a restart', async () => {
    const processes = [await startHost(), await startHost()];
    expect(processes.map((host) => host.isDisposableDomain('a.thrown7.test'))).toEqual([false, false]);
    expect(await refresh('disposable', published(names(100)))).toEqual({
      name: 'disposable',
      outcome: 'changed',
      entries: 100,
      passedOver: 0,
    });
    const took = await tookMs(() => processes.every((host) => host.isDisposableDomain('a.thrown7.test')));
    process.stdout.write(`a fetched list was in effect in two processes after ${took} ms\n`);
    expect(took).not.toBeNull();
    const restarted = await startHost();
    expect(restarted.isDisposableDomain('thrown99.test')).toBe(true);
    expect(restarted.states).toEqual([
      { name: 'disposable', entries: 100, ageSeconds: expect.closeTo(0, -1) as number },
    ]);
    // What is shipped holds beside it.
    expect([restarted.isDisposableDomain('mailinator.com'), restarted.isDisposableDomain('gmail.com')]).toEqual([
      true,
      false,
    ]);
  });

  it('of each kind takes effect', async () => {
    await refresh('disposable', published('thrown.test\nmailbox.test\nmasked.test\n'));
    await refresh('disposable-mx', published('# hosts\nmx.throw.test\n'));
    await refresh('freemail', published('mailbox.test\n'));
    await refresh('relay', published('masked.test,Masked Mail\n'));
    await refresh('role', published('ombudsman\ncentral desk\nfront_gate\n'));
    const host = await startHost();
    const disposable = ['thrown.test', 'mailbox.test', 'masked.test'].map((domain) => host.isDisposableDomain(domain));
    expect(disposable).toEqual([true, false, false]);
    expect(host.isDisposableMailHost(['a.mx.throw.test'])).toBe(true);
    expect([host.isFreemail('mailbox.test'), host.isFreemail('thrown.test')]).toEqual([true, null]);
    expect(host.relayProvider('john.masked.test', [])).toBe('Masked Mail');
    expect([host.isRole('ombudsman'), host.isRole('frontgate'), host.isRole('central')]).toEqual([true, true, false]);
  });

  it('is fetched only when due, and only if it changed', async () => {
    const answer = published(names(10), '"one"');
    expect(await refresh('disposable', answer, { force: false })).toMatchObject({ outcome: 'changed' });
    expect(await refresh('disposable', answer, { force: false })).toMatchObject({ outcome: 'waiting' });
    const before = await version('disposable');
    expect(await refresh('disposable', answer)).toMatchObject({ outcome: 'unchanged' });
    expect(server.asked.slice(-2)).toEqual([null, '"one"']);
    // The same under another tag is the same.
    expect(await refresh('disposable', published(names(10), '"two"'))).toMatchObject({ outcome: 'unchanged' });
    expect(await refresh('disposable', published(names(10), '"two"'))).toMatchObject({ outcome: 'unchanged' });
    expect(server.asked.at(-1)).toBe('"two"');
    expect(await version('disposable')).toBe(before);
    await database.dataSource.query('UPDATE refreshed_lists SET tried_at = tried_at - INTERVAL 7 HOUR');
    expect(await refresh('disposable', answer, { force: false })).toMatchObject({ outcome: 'unchanged' });
  });

  it('is due sooner after a failure, and at once with another URL', async () => {
    await refresh('role', (_, response) => response.writeHead(503).end(), { force: false });
    const again = { force: false };
    expect(await refresh('role', published('steward\n'), again)).toMatchObject({ outcome: 'waiting' });
    await database.dataSource.query('UPDATE refreshed_lists SET tried_at = tried_at - INTERVAL 61 MINUTE');
    expect(await refresh('role', published('steward\n'), again)).toMatchObject({ outcome: 'changed' });
    await database.dataSource.query('UPDATE refreshed_lists SET tried_at = tried_at - INTERVAL 61 MINUTE');
    expect(await refresh('role', published('steward\n'), again)).toMatchObject({ outcome: 'waiting' });
    expect(await refresh('role', published('steward\n'), { ...again, path: '/new' })).toMatchObject({
      outcome: 'changed',
    });
    expect(server.asked.at(-1)).toBeNull();
  });

  it('is fetched once by concurrent processes', async () => {
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => refresh('disposable', published(names(10)), { force: false })),
    );
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['changed', 'waiting', 'waiting', 'waiting']);
  });

  it('can be dropped, and fetched again', async () => {
    await refresh('freemail', published('mailbox.test\n'));
    const host = await startHost();
    expect(host.isFreemail('mailbox.test')).toBe(true);
    expect([await rows.drop('freemail', 'operator:test'), await rows.drop('freemail', 'operator:test')]).toEqual([
      true,
      false,
    ]);
    expect(await tookMs(() => host.isFreemail('mailbox.test') === null)).not.toBeNull();
    expect(host.states).toEqual([]);
    expect(await refresh('freemail', published('mailbox.test\n'))).toMatchObject({ outcome: 'changed' });
    expect(await tookMs(() => host.isFreemail('mailbox.test') === true)).not.toBeNull();
  });
});

describe('bad lists', () => {
  it.each<[string, Answer, string]>([
    ['that shrank by half', published(names(50), '"small"'), 'shrunk'],
    ['that names gmail.com', published(`${names(100)}gmail.com\n`, '"bad"'), 'names_known_good'],
    ['that is a web page', published('<!doctype html>\n<html>\n<body>\nSign in\n', '"page"'), 'unreadable'],
    ['that is empty', published('\n', '"empty"'), 'empty'],
    ['that has moved', (_, response) => response.writeHead(301, { location: '/other' }).end(), 'redirect'],
    ['that is away', (_, response) => response.writeHead(404).end(), 'status'],
    ['that is too large', published('x'.repeat(8 * 1024 * 1024 + 1)), 'too_large'],
  ])('a list %s is refused, and the previous one stays', async (_, answer, why) => {
    await refresh('disposable', published(names(100), '"good"'));
    const before = await version('disposable');
    expect(await refresh('disposable', answer)).toMatchObject({ outcome: 'refused', why });
    expect(await version('disposable')).toBe(before);
    const [state] = await rows.states();
    expect(state).toMatchObject({ name: 'disposable', entries: 100, refusal: expect.stringMatching(/./) });
    expect(state!.refusedAt!.getTime()).toBeGreaterThanOrEqual(state!.confirmedAt!.getTime());
    expect((await startHost()).isDisposableDomain('thrown60.test')).toBe(true);
    // Its tag was not kept: the good one is still what is compared.
    expect(await refresh('disposable', published(names(100), '"good"'))).toMatchObject({ outcome: 'unchanged' });
  });

  it('a list from a private address is refused unless allowed', async () => {
    const strict = refresherWith(false);
    const before = server.asked.length;
    expect(await refresh('disposable', published(names(9)), { by: strict })).toMatchObject({
      outcome: 'refused',
      why: 'forbidden_address',
    });
    strict.close();
    expect(server.asked).toHaveLength(before);
    expect((await startHost()).isDisposableDomain('thrown3.test')).toBe(false);
  });

  it('a list that was shortened on purpose is accepted from another URL', async () => {
    await refresh('disposable', published(names(100)));
    expect(await refresh('disposable', published(names(9)))).toMatchObject({ why: 'shrunk' });
    expect(await refresh('disposable', published(names(9)), { path: '/small.txt?token=secret' })).toMatchObject({
      outcome: 'changed',
    });
    expect((await rows.states())[0]?.source).toBe(`http://127.0.0.1:${server.port}/small.txt?…`);
  });

  it('a row that cannot be unpacked changes nothing, and the next good list is used', async () => {
    await refresh('disposable', published(names(10)));
    const host = await startHost();
    await database.dataSource.query("UPDATE refreshed_lists SET content = 'no gzip', version = version + 1");
    await refresh('role', published('steward\n'));
    expect(await tookMs(() => host.isRole('steward'))).not.toBeNull();
    expect(host.isDisposableDomain('thrown3.test')).toBe(true);
    await refresh('disposable', published(names(10, 'other')));
    expect(await tookMs(() => host.isDisposableDomain('other3.test'))).not.toBeNull();
    expect(host.isDisposableDomain('thrown3.test')).toBe(false);
  });
});

it('lists stay while MySQL is down, and a process that starts without it is not ready', async () => {
  await refresh('disposable', published(names(10)));
  const link = await breakableLink({ host: database.target.host, port: database.target.port });
  await link.restore();
  const host = await startHost({ ...database.target, port: link.port });
  const dataSource = await openDatabase({ ...database.target, port: link.port });
  await link.cut();
  const late = new SignalListsProvider(new RefreshedListsRepository(dataSource));
  await late.onModuleInit();
  expect([late.ready, late.isDisposableDomain('mailinator.com')]).toEqual([false, true]);
  await refresh('disposable', published(names(10, 'later')));
  expect([host.ready, host.isDisposableDomain('thrown3.test')]).toEqual([true, true]);
  await link.restore();
  expect(await tookMs(() => late.ready && host.isDisposableDomain('later3.test'))).not.toBeNull();
  expect(late.isDisposableDomain('later3.test')).toBe(true);
  late.beforeApplicationShutdown();
  await dataSource.destroy();
  await link.close();
});

it('a list of maximum length is built without blocking other work', async () => {
  const text = names(150_000, 'a-rather-long-name-of-a-throw-away-domain-');
  server.answer = published(text);
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  expect(await refresh('disposable', published(text))).toMatchObject({ outcome: 'changed', entries: 150_000 });
  const refreshing = longest;
  [longest, last] = [0, performance.now()];
  const began = performance.now();
  const host = await startHost();
  const startedMs = performance.now() - began;
  clearInterval(watch);
  expect(host.isDisposableDomain('a-rather-long-name-of-a-throw-away-domain-149999.test')).toBe(true);
  process.stdout.write(
    `150,000 entries: the worker was held up for at most ${Math.round(refreshing)} ms, ` +
      `a process that reads them for ${Math.round(longest)} ms of ${Math.round(startedMs)} ms\n`,
  );
});
