import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { noAddedList, NOTHING_ADDED, type AddedLists } from '../../engine/signals/added-lists.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import { LIST_NAMES, type ListName } from '../../engine/signals/refreshable-lists.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import type { StaticSignalLists } from '../../engine/signals/static-signal-lists.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { RefreshedListsRepository, type ListVersion } from './refreshed-lists.repository.js';
import { unpackList } from './unpack-list.js';

/** A new list is in force everywhere within 5 s: the rest is for the query and the build. */
const LOOK_EVERY_MS = 2000;
/** No requests are served before the first read. */
const LOOK_FIRST_EVERY_MS = 250;
const ASK_DEADLINE_MS = 2000;
const READ_DEADLINE_MS = 10_000;

/**
 * Combines the shipped and fetched lists. Reads the fetched lists at start and when their versions change, and keeps
 * the last ones while the database is down. A verdict sees one set of lists or the next, never a mix.
 */
@Injectable()
export class SignalListsProvider implements SignalLists, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Lists');
  private readonly shipped = loadSignalLists();
  private lists: StaticSignalLists = this.shipped;
  private added: AddedLists = NOTHING_ADDED;
  private readonly held = new Map<ListName, number>();
  private known: ReadonlyMap<ListName, ListVersion> = new Map();
  private knownAt = 0;
  private wasRead = false;
  private inTrouble = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly repository: RefreshedListsRepository) {}

  /** False until the fetched lists have been read once. */
  get ready(): boolean {
    return this.wasRead;
  }

  /** Fetched lists in force, for metrics. */
  get states(): readonly { readonly name: ListName; readonly entries: number; readonly ageSeconds: number }[] {
    const sinceSeconds = (performance.now() - this.knownAt) / 1000;
    return [...this.known].flatMap(([name, { entries, ageSeconds }]) =>
      entries === 0 || ageSeconds === null ? [] : [{ name, entries, ageSeconds: ageSeconds + sinceSeconds }],
    );
  }

  isDisposableDomain(domain: string): boolean {
    return this.lists.isDisposableDomain(domain);
  }

  isDisposableMailHost(hosts: readonly string[]): boolean {
    return this.lists.isDisposableMailHost(hosts);
  }

  isAllowListed(domain: string): boolean {
    return this.lists.isAllowListed(domain);
  }

  isFreemail(domain: string): true | null {
    return this.lists.isFreemail(domain);
  }

  relayProvider(domain: string, hosts: readonly string[]): string | null {
    return this.lists.relayProvider(domain, hosts);
  }

  isRole(localPart: string): boolean {
    return this.lists.isRole(localPart);
  }

  /** Waits for the first attempt only: without the database the process starts, but is not ready. */
  async onModuleInit(): Promise<void> {
    await this.look();
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const began = performance.now();
    try {
      await this.refresh();
      if (this.inTrouble) this.logger.log('the fetched lists are read again');
      this.inTrouble = false;
    } catch (error) {
      if (!this.inTrouble && !this.stopped)
        this.logger.warn({ err: error }, 'the fetched lists cannot be read; trying again');
      this.inTrouble = true;
    }
    if (this.stopped) return;
    const dueMs = began + (this.ready ? LOOK_EVERY_MS : LOOK_FIRST_EVERY_MS) - performance.now();
    this.timer = setTimeout(() => void this.look(), Math.max(0, dueMs)).unref();
  }

  private async refresh(): Promise<void> {
    const known = await withinDeadline(this.repository.versions(), ASK_DEADLINE_MS);
    this.known = known;
    this.knownAt = performance.now();
    const stale = LIST_NAMES.filter((name) => (known.get(name)?.version ?? 0) !== (this.held.get(name) ?? 0));
    for (const name of stale) await this.follow(name);
    this.wasRead = true;
  }

  /** Switches to the lists now in force, after building them completely. */
  private async follow(name: ListName): Promise<void> {
    const row = await withinDeadline(this.repository.read(name), READ_DEADLINE_MS);
    const content = row?.content ?? null;
    this.added = { ...this.added, ...(content === null ? noAddedList(name) : await this.build(name, content)) };
    this.lists = this.shipped.with(this.added);
    this.held.set(name, row?.version ?? 0);
  }

  /** A list that cannot be unpacked changes nothing. It is logged once and not retried: a retry would fail too. */
  private async build(name: ListName, content: Buffer): Promise<Partial<AddedLists>> {
    try {
      return await unpackList(name, content);
    } catch (error) {
      this.logger.error({ err: error, list: name }, 'a fetched list is broken; the previous one stays in force');
      return {};
    }
  }
}
