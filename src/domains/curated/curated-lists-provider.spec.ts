import { Logger } from '@nestjs/common';
import { NOTHING_LISTED, type CuratedTables } from '../../engine/signals/static-curated-lists.js';
import { CuratedListsProvider } from './curated-lists-provider.js';
import type { CuratedTablesRepository, CuratedVersions, VersionedTables } from './curated-tables.repository.js';

const VERSIONS: CuratedVersions = { block: 1, spam_trap: 1, no_probe: 1 };

/** A fake database; the test sets its contents and replies. */
class FakeRepository {
  stored: VersionedTables = { versions: VERSIONS, tables: NOTHING_LISTED };
  asked = 0;
  read = 0;
  answer: <T>(value: T) => Promise<T> = (value) => Promise.resolve(value);

  versions(): Promise<CuratedVersions> {
    this.asked += 1;
    return this.answer(this.stored.versions);
  }

  readAfter(): Promise<VersionedTables> {
    this.read += 1;
    return this.answer(this.stored);
  }

  /** Changes the blocklist. */
  block(...domains: string[]): void {
    const { versions, tables } = this.stored;
    const blocked: CuratedTables['blocked'] = new Map(domains.map((domain) => [domain, null]));
    this.stored = { versions: { ...versions, block: versions.block + 1 }, tables: { ...tables, blocked } };
  }
}

describe('CuratedListsProvider', () => {
  let repository: FakeRepository;
  let host: CuratedListsProvider;
  let lines: string[];
  beforeEach(() => {
    jest.useFakeTimers();
    lines = [];
    for (const level of ['warn', 'log'] as const) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((...said: unknown[]) => void lines.push(said.map(String).join(' ')));
    }
    repository = new FakeRepository();
    host = new CuratedListsProvider(repository as unknown as CuratedTablesRepository);
  });
  afterEach(() => {
    host.beforeApplicationShutdown();
    const timers = jest.getTimerCount();
    jest.useRealTimers();
    jest.restoreAllMocks();
    if (timers > 0) throw new Error(`${timers} timers were left running`);
  });
  const away = (): Promise<never> => Promise.reject(new Error('away'));

  it('has the lists once the process has started', async () => {
    repository.block('evil.example');
    await host.onModuleInit();
    expect(host.ready).toBe(true);
    expect(host.blocked('mail.evil.example')).toEqual({ label: null });
    expect([host.isSpamTrap('evil.example', []), host.isNoProbe('evil.example')]).toEqual([false, false]);
    expect(host.isNoProbeAddress('192.0.2.1')).toBe(false);
  });

  it('notices a change within 5 seconds, and reads no entries without one', async () => {
    await host.onModuleInit();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([repository.asked, repository.read]).toEqual([31, 1]);
    repository.block('evil.example');
    await jest.advanceTimersByTimeAsync(2000);
    expect(host.blocked('evil.example')).not.toBeNull();
    repository.block();
    await jest.advanceTimersByTimeAsync(2000);
    expect(host.blocked('evil.example')).toBeNull();
    expect(repository.read).toBe(3);
  });

  it('blocks verdicts and probes before the first read, and retries at once', async () => {
    repository.answer = away;
    await host.onModuleInit();
    expect(host.ready).toBe(false);
    expect(() => host.blocked('evil.example')).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
    expect(() => host.isSpamTrap('evil.example', [])).toThrow(expect.objectContaining({ code: 'service_unavailable' }));
    expect([host.isNoProbe('evil.example'), host.isNoProbeAddress('192.0.2.1')]).toEqual([true, true]);

    repository.answer = (value) => Promise.resolve(value);
    await jest.advanceTimersByTimeAsync(250);
    expect(host.ready).toBe(true);
    expect(host.blocked('evil.example')).toBeNull();
  });

  it('keeps the last lists while the database is down, logs that once, and recovers', async () => {
    repository.block('evil.example');
    await host.onModuleInit();
    repository.block('other.example');
    repository.answer = away;
    await jest.advanceTimersByTimeAsync(60_000);
    expect([host.blocked('evil.example'), host.blocked('other.example')]).toEqual([{ label: null }, null]);
    expect(lines).toEqual([expect.stringContaining('cannot be read')]);

    repository.answer = (value) => Promise.resolve(value);
    await jest.advanceTimersByTimeAsync(2000);
    expect([host.blocked('evil.example'), host.blocked('other.example')]).toEqual([null, { label: null }]);
    expect(lines).toEqual([expect.stringContaining('cannot be read'), expect.stringContaining('read again')]);
  });

  it('gives up on a database that does not answer, and ignores a late answer', async () => {
    let release: (() => void)[] = [];
    repository.answer = (value) => new Promise((resolve) => release.push(() => resolve(value)));
    const started = host.onModuleInit();
    await jest.advanceTimersByTimeAsync(2001);
    await started;
    expect(host.ready).toBe(false);
    for (const answer of release) answer();
    release = [];
    await jest.advanceTimersByTimeAsync(0);
    expect(host.ready).toBe(false);

    repository.answer = (value) => Promise.resolve(value);
    await jest.advanceTimersByTimeAsync(2500);
    expect(host.ready).toBe(true);
  });

  it('reads no more once the process stops', async () => {
    await host.onModuleInit();
    host.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(repository.asked).toBe(1);
  });
});
