import { Injectable } from '@nestjs/common';
import type { CuratedLists } from '../../engine/signals/lists.js';
import { StaticCuratedLists } from '../../engine/signals/static-curated-lists.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { ASK_DEADLINE_MS, ListsFollower, READ_DEADLINE_MS } from '../lists-follower.js';
import { CURATED_KINDS } from './curated-kind.js';
import { CuratedTablesRepository, NEVER_READ, type CuratedVersions } from './curated-tables.repository.js';

/** The operator's lists in a serving process. Look-ups see one set of lists or the next, never a mix. */
@Injectable()
export class CuratedListsProvider extends ListsFollower implements CuratedLists {
  private held = NEVER_READ;
  private lists: StaticCuratedLists | null = null;

  constructor(private readonly repository: CuratedTablesRepository) {
    super('CuratedLists', 'the curated lists');
  }

  /** False until the first read: until then `blocked` and `isSpamTrap` throw. */
  override get ready(): boolean {
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

  private current(): StaticCuratedLists {
    if (this.lists === null) throw serviceUnavailable(new Error('the curated lists have not been read yet'));
    return this.lists;
  }

  protected override async refresh(): Promise<void> {
    const { held, repository } = this;
    if (isSame(await withinDeadline(repository.versions(), ASK_DEADLINE_MS), held.versions)) return;
    this.held = await withinDeadline(repository.readAfter(held), READ_DEADLINE_MS);
    this.lists = new StaticCuratedLists(this.held.tables);
  }
}

function isSame(one: CuratedVersions, other: CuratedVersions): boolean {
  return CURATED_KINDS.every((kind) => one[kind] === other[kind]);
}
