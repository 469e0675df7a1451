import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { CuratedLists } from '../../engine/signals/lists.js';
import { StaticCuratedLists } from '../../engine/signals/static-curated-lists.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { CURATED_KINDS } from './curated-kind.js';
import { CuratedTablesRepository, NEVER_READ, type CuratedVersions } from './curated-tables.repository.js';

/** A change is in force everywhere within 5 s: the rest is for the query and the read. */
const LOOK_EVERY_MS = 2000;
/** No requests are served before the first read. */
const LOOK_FIRST_EVERY_MS = 250;
const ASK_DEADLINE_MS = 2000;
/** A hundred thousand entries take a fraction of a second. */
const READ_DEADLINE_MS = 10_000;

/**
 * The operator's lists in a serving process: read at start and when their versions change. The last ones stay while the
 * database is down. Look-ups see one set of lists or the next, never a mix.
 */
@Injectable()
export class CuratedListsProvider implements CuratedLists, OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('CuratedLists');
  private held = NEVER_READ;
  private lists: StaticCuratedLists | null = null;
  private inTrouble = false;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly repository: CuratedTablesRepository) {}

  /** False until the first read: until then `blocked` and `isSpamTrap` throw. */
  get ready(): boolean {
    return this.lists !== null;
  }

  blocked(domain: string): { readonly label: string | null } | null {
    return this.current().blocked(domain);
  }

  isSpamTrap(domain: string, hosts: readonly string[]): boolean {
    return this.current().isSpamTrap(domain, hosts);
  }

  isNoProbe(name: string): boolean {
    return this.lists?.isNoProbe(name) ?? true;
  }

  isNoProbeAddress(ip: string): boolean {
    return this.lists?.isNoProbeAddress(ip) ?? true;
  }

  /**
   * Waits for the first attempt only, like the database's own connector: without the database the process starts, but
   * is not ready.
   */
  async onModuleInit(): Promise<void> {
    await this.look();
  }

  beforeApplicationShutdown(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private current(): StaticCuratedLists {
    if (this.lists === null) throw serviceUnavailable(new Error('the curated lists have not been read yet'));
    return this.lists;
  }

  /** Never rejects. */
  private async look(): Promise<void> {
    const began = performance.now();
    try {
      await this.refresh();
      if (this.inTrouble) this.logger.log('the curated lists are read again');
      this.inTrouble = false;
    } catch (error) {
      if (!this.inTrouble && !this.stopped)
        this.logger.warn({ err: error }, 'the curated lists cannot be read; trying again');
      this.inTrouble = true;
    }
    if (this.stopped) return;
    const dueMs = began + (this.ready ? LOOK_EVERY_MS : LOOK_FIRST_EVERY_MS) - performance.now();
    this.timer = setTimeout(() => void this.look(), Math.max(0, dueMs)).unref();
  }

  private async refresh(): Promise<void> {
    const { held, repository } = this;
    if (isSame(await withinDeadline(repository.versions(), ASK_DEADLINE_MS), held.versions)) return;
    this.held = await withinDeadline(repository.readAfter(held), READ_DEADLINE_MS);
    this.lists = new StaticCuratedLists(this.held.tables);
  }
}

function isSame(one: CuratedVersions, other: CuratedVersions): boolean {
  return CURATED_KINDS.every((kind) => one[kind] === other[kind]);
}
