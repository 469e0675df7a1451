import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { DatabaseTarget } from '../../config/database-url.js';
import { reasonOf } from '../database-errors.js';
import { openDatabase } from '../open-database.js';

/** How late a replica may be. */
const MAX_DELAY_MS = 1000;
const ASK_EVERY_MS = 25;
const POOL_SIZE = 10;
/** How long the outcome of a check holds. */
const CHECK_AGAIN_MS = 10_000;

/**
 * A replica of the database, for reads that may be some seconds old. A beat shows whether it follows: this process counts
 * one up on the primary, and waits for it on the replica. That needs no right to ask the server, and also sees a
 * replica of another database, or one that has stopped.
 */
export class Replica {
  private opened: Promise<DataSource> | null = null;
  private checking: Promise<DataSource | null> | null = null;
  private checkedAt = Number.NEGATIVE_INFINITY;
  private following = false;

  constructor(
    private readonly primary: DataSource,
    private readonly target: DatabaseTarget,
  ) {}

  /** The replica's connections; null while it is away or too late. */
  usable(): Promise<DataSource | null> {
    if (performance.now() - this.checkedAt < CHECK_AGAIN_MS)
      return this.following ? this.opened! : Promise.resolve(null);
    this.checking ??= this.check().finally(() => {
      this.checking = null;
    });
    return this.checking;
  }

  /** What it is asked goes to the primary until the next check. */
  lose(): void {
    this.following = false;
  }

  async close(): Promise<void> {
    const replica = await this.opened?.catch(() => null);
    await replica?.destroy();
  }

  private async check(): Promise<DataSource | null> {
    const fault = await this.faultNow();
    this.checkedAt = performance.now();
    if (this.following !== (fault === null) || (fault !== null && this.opened === null)) {
      const news = fault === null ? 'reads go to the replica' : `reads go to the primary: the replica ${fault}`;
      this.primary.logger.log('warn', news);
    }
    this.following = fault === null;
    return this.following ? this.opened : null;
  }

  private async faultNow(): Promise<string | null> {
    let replica: DataSource;
    try {
      this.opened ??= openDatabase(this.target, { poolSize: POOL_SIZE });
      replica = await this.opened;
    } catch (error) {
      this.opened = null;
      return `cannot be reached (${reasonOf(error)})`;
    }
    try {
      const { insertId } = await this.primary.query<{ insertId: string | number }>(
        'UPDATE replica_beats SET beat = LAST_INSERT_ID(beat + 1) WHERE id = 1',
      );
      const until = performance.now() + MAX_DELAY_MS;
      for (;;) {
        const [row] = await replica.query<{ beat: string }[]>('SELECT beat FROM replica_beats WHERE id = 1');
        if (row !== undefined && BigInt(row.beat) >= BigInt(insertId)) return null;
        if (performance.now() > until) return 'is more than a second late';
        await delay(ASK_EVERY_MS);
      }
    } catch (error) {
      return `cannot be asked (${reasonOf(error)})`;
    }
  }
}
