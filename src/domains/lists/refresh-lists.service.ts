import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ListName } from '../../engine/signals/refreshable-lists.js';
import type { ListUrl } from '../../platform/config/list-urls.js';
import { judgeList, type ListFault, type ShippedLists } from './judge-list.js';
import type { FetchFault, ListFetcher } from './list-fetcher.js';
import { listSource, type ListSource } from './list-source.js';
import { parseList } from './parse-list.js';
import type { ListTurn, RefreshedListsRepository } from './refreshed-lists.repository.js';

/**
 * The outcome for a list. `changed`: a new list is in force; `unchanged`: the source has the list in force; `refused`: the list in
 * force stays, for a reason in words; `waiting`: the list is not due.
 */
export type RefreshOutcome =
  | { readonly name: ListName; readonly outcome: 'changed'; readonly entries: number; readonly passedOver: number }
  | { readonly name: ListName; readonly outcome: 'unchanged' | 'waiting' }
  | {
      readonly name: ListName;
      readonly outcome: 'refused';
      readonly why: FetchFault | ListFault;
      readonly said: string;
    };

/** Sources publish about once a day. A failed fetch is tried again after an hour. */
const DUE_AFTER_SECONDS = { good: 6 * 3600, failed: 3600 };
const AT_ONCE = { good: 0, failed: 0 };

const compress = promisify(gzip);

/** Fetches lists, judges them, and puts the good ones in force for all processes. */
export class RefreshLists {
  constructor(
    private readonly rows: RefreshedListsRepository,
    private readonly fetcher: ListFetcher,
    private readonly shipped: ShippedLists,
  ) {}

  /**
   * Refreshes one list. If several processes ask at once, one of them does it.
   * @param force refreshes a list that is not due
   * @throws the error of the database
   */
  async refresh({ name, url }: ListUrl, signal: AbortSignal, force = false): Promise<RefreshOutcome> {
    const { rows, fetcher } = this;
    const source = listSource(url);
    const turn = await rows.claimRefresh(name, source, force ? AT_ONCE : DUE_AFTER_SECONDS);
    if (turn === null) return { name, outcome: 'waiting' };
    const etag = turn.inForce?.etag ?? null;
    const fetched = await fetcher.fetch(url, etag, signal);
    if (fetched.kind === 'failed') return this.refuse(name, fetched);
    if (fetched.kind === 'list') return this.judge(name, source, turn, fetched);
    // We sent no entity tag, so the server had nothing to compare.
    if (turn.inForce === null) return this.refuse(name, { why: 'status', said: 'it answers with status 304' });
    await rows.confirm(name, etag);
    return { name, outcome: 'unchanged' };
  }

  private async judge(
    name: ListName,
    source: ListSource,
    { inForce }: ListTurn,
    { text, etag }: { readonly text: string; readonly etag: string | null },
  ): Promise<RefreshOutcome> {
    const { rows, shipped } = this;
    const parsed = await parseList(name, text, nextTurn);
    const judged = await judgeList(name, parsed, inForce?.entries ?? null, shipped, nextTurn);
    if (judged.kind === 'refused') return this.refuse(name, judged);
    const { entries, passedOver } = judged;
    const stored = await written(entries);
    const contentHash = createHash('sha256').update(stored).digest();
    if (inForce !== null && contentHash.equals(inForce.contentHash)) {
      await rows.confirm(name, etag);
      return { name, outcome: 'unchanged' };
    }
    const content = await compress(stored, { level: 9 });
    await rows.store(name, source, { entries: entries.length, content, contentHash, etag });
    return { name, outcome: 'changed', entries: entries.length, passedOver };
  }

  private async refuse(
    name: ListName,
    { why, said }: { readonly why: FetchFault | ListFault; readonly said: string },
  ): Promise<RefreshOutcome> {
    await this.rows.refuse(name, said);
    return { name, outcome: 'refused', why, said };
  }
}

/** Entries between two pauses: a millisecond or two of work. */
const SLICE = 5000;

/** One entry per line. */
async function written(entries: readonly string[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let start = 0; start < entries.length; start += SLICE) {
    parts.push(Buffer.from(`${entries.slice(start, start + SLICE).join('\n')}\n`));
    await nextTurn();
  }
  return Buffer.concat(parts);
}
