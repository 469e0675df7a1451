import { Injectable } from '@nestjs/common';
import { noAddedList, NOTHING_ADDED, type AddedLists } from '../../engine/signals/added-lists.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import { LIST_NAMES, type ListName } from '../../engine/signals/refreshable-lists.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import type { StaticSignalLists } from '../../engine/signals/static-signal-lists.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { ASK_DEADLINE_MS, ListsFollower, READ_DEADLINE_MS } from '../lists-follower.js';
import { RefreshedListsRepository, type ListVersion } from './refreshed-lists.repository.js';
import { unpackList } from './unpack-list.js';

/** Combines the shipped and fetched lists. A verdict sees one set of lists or the next, never a mix. */
@Injectable()
export class SignalListsProvider extends ListsFollower implements SignalLists {
  private readonly shipped = loadSignalLists();
  private lists: StaticSignalLists = this.shipped;
  private added: AddedLists = NOTHING_ADDED;
  private readonly held = new Map<ListName, number>();
  private known: ReadonlyMap<ListName, ListVersion> = new Map();
  private knownAt = 0;
  private wasRead = false;

  constructor(private readonly repository: RefreshedListsRepository) {
    super('Lists', 'the fetched lists');
  }

  override get ready(): boolean {
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

  protected override async refresh(): Promise<void> {
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
