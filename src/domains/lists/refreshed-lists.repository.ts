import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { LIST_NAMES, type ListName } from '../../engine/signals/refreshable-lists.js';
import { appendAudit, type Actor } from '../../platform/audit/audit-log.repository.js';
import type { ListSource } from './list-source.js';

/** Tells a process whether its copy of a list is current. */
export interface ListVersion {
  readonly version: number;
  /** 0: only the shipped list is in force. */
  readonly entries: number;
  /** Time since the source last had it; null: never fetched. */
  readonly ageSeconds: number | null;
}

/** A list as shown to an operator. */
export interface ListState {
  readonly name: ListName;
  readonly entries: number;
  readonly source: string;
  readonly changedAt: Date | null;
  readonly confirmedAt: Date | null;
  readonly triedAt: Date | null;
  readonly refusedAt: Date | null;
  readonly refusal: string | null;
}

/** State at the start of a refresh. */
export interface ListTurn {
  /** The list in force from the same source; null if there is none. */
  readonly inForce: {
    readonly entries: number;
    readonly etag: string | null;
    readonly contentHash: Buffer;
  } | null;
}

/** A list to put in force. */
export interface NewList {
  readonly entries: number;
  /** Compressed with gzip. */
  readonly content: Buffer;
  readonly contentHash: Buffer;
  readonly etag: string | null;
}

const MAX_REFUSAL = 300;

/** Lists fetched at run time: one row each, timed by the database's clock. */
@Injectable()
export class RefreshedListsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** A tiny query that every process runs every two seconds. Leaves out lists of a newer release. */
  async versions(): Promise<ReadonlyMap<ListName, ListVersion>> {
    const rows = await this.dataSource.query<
      { name: string; version: number; entries: number; age: number | string | null }[]
    >(`SELECT name, version, entries, TIMESTAMPDIFF(SECOND, confirmed_at, ${NOW}) AS age FROM refreshed_lists`);
    return new Map(
      rows.flatMap(({ name, version, entries, age }) => {
        const known = LIST_NAMES.find((one) => one === name);
        const ageSeconds = age === null ? null : Number(age);
        return known === undefined ? [] : [[known, { version, entries, ageSeconds }] as const];
      }),
    );
  }

  /** The content with its version; null content: only the shipped list is in force. */
  async read(name: ListName): Promise<{ readonly version: number; readonly content: Buffer | null } | null> {
    const [row] = await this.dataSource.sql<{ version: number; content: Buffer | null }[]>`
      SELECT version, content FROM refreshed_lists WHERE name = ${name}`;
    return row ?? null;
  }

  /** All lists ever fetched or tried. */
  async states(): Promise<readonly ListState[]> {
    const rows = await this.dataSource.query<(Omit<ListState, 'name'> & { name: string })[]>(
      `SELECT name, entries, source, changed_at AS changedAt, confirmed_at AS confirmedAt, tried_at AS triedAt,
          refused_at AS refusedAt, refusal FROM refreshed_lists ORDER BY name`,
    );
    return rows.flatMap((row) => {
      const name = LIST_NAMES.find((one) => one === row.name);
      return name === undefined ? [] : [{ ...row, name }];
    });
  }

  /**
   * Claims a list that is due: its source has changed, or the last try was long enough ago. Concurrent callers get
   * null.
   * @param afterSeconds interval after a successful try, and after a failed one
   */
  async claimRefresh(
    name: ListName,
    source: ListSource,
    afterSeconds: { readonly good: number; readonly failed: number },
  ): Promise<ListTurn | null> {
    await this.dataSource.sql`
      INSERT IGNORE INTO refreshed_lists (name, version, entries, source, source_hash)
        VALUES (${name}, 0, 0, ${source.shown}, ${source.hash})`;
    const failed = 'confirmed_at IS NULL OR refused_at >= confirmed_at';
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE refreshed_lists SET tried_at = ${() => NOW}, source = ${source.shown}, source_hash = ${source.hash}
        WHERE name = ${name} AND (tried_at IS NULL OR source_hash <> ${source.hash}
          OR tried_at <= ${() => NOW} - INTERVAL IF(${() => failed}, ${afterSeconds.failed},
            ${afterSeconds.good}) SECOND)`;
    if (affectedRows === 0) return null;
    const [inForce] = await this.dataSource.sql<NonNullable<ListTurn['inForce']>[]>`
      SELECT entries, etag, content_hash AS contentHash FROM refreshed_lists
        WHERE name = ${name} AND content IS NOT NULL AND content_source = ${source.hash}`;
    return { inForce: inForce ?? null };
  }

  /** The source still has the list in force. */
  async confirm(name: ListName, etag: string | null): Promise<void> {
    await this.dataSource.sql`
      UPDATE refreshed_lists SET confirmed_at = ${() => NOW}, etag = ${etag} WHERE name = ${name}`;
  }

  /** Replaces the list in force. */
  async store(name: ListName, { hash }: ListSource, list: NewList): Promise<void> {
    await this.dataSource.sql`UPDATE refreshed_lists
        SET version = version + 1, entries = ${list.entries}, content = ${list.content},
          content_hash = ${list.contentHash}, content_source = ${hash}, etag = ${list.etag},
            changed_at = ${() => NOW}, confirmed_at = ${() => NOW} WHERE name = ${name}`;
  }

  /** Keeps the list in force. @param refusal for an operator; must not contain a token */
  async refuse(name: ListName, refusal: string): Promise<void> {
    await this.dataSource.sql`
      UPDATE refreshed_lists SET refused_at = ${() => NOW}, refusal = ${refusal.slice(0, MAX_REFUSAL)}
        WHERE name = ${name}`;
  }

  /** Removes the fetched list, so that only the shipped one is in force. False if there was none. */
  async drop(name: ListName, actor: Actor): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const { affectedRows } = await transaction.sql<{ affectedRows: number }>`UPDATE refreshed_lists
          SET version = version + 1, entries = 0, content = NULL, content_hash = NULL, content_source = NULL,
            etag = NULL, confirmed_at = NULL, changed_at = ${() => NOW}
        WHERE name = ${name} AND content IS NOT NULL`;
      if (affectedRows === 0) return false;
      await appendAudit(transaction, { actor, action: 'list.drop', accountId: null, subject: name });
      return true;
    });
  }
}
