import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { isDuplicateKey } from './database-errors.js';
import { inMs } from './database-now.js';
import { retryLockConflicts } from './retry-lock-conflicts.js';

export interface LeaseOptions {
  /** How long to wait for a lease that another process holds. */
  readonly waitMs: number;
  /** A lease outlives a holder that is gone by this time and a third of it; it is renewed six times as often. */
  readonly lastsMs?: number;
}

const LASTS_MS = 60_000;
const ASK_EVERY_MS = 250;

/** Another process holds the lease, and held it all the time that this one waited. */
export class LeaseHeld extends Error {}

/**
 * Runs work that no two processes may do at once. Unlike GET_LOCK, which is local to a server, a lease is a row: all
 * nodes of a cluster and the primaries before and after a failover know it. It makes its table itself, for the first
 * migration needs it.
 * @param work its signal is aborted when the lease may have gone to another process
 * @throws LeaseHeld, or what the work or the driver throws
 */
export async function withLease<T>(
  dataSource: DataSource,
  name: string,
  { waitMs, lastsMs = LASTS_MS }: LeaseOptions,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = new Lease(dataSource, name, lastsMs);
  await lease.createTable();
  await lease.acquire(waitMs);
  const lost = new AbortController();
  let isOver = false;
  let isRenewing = false;
  const renew = async (): Promise<void> => {
    if (isRenewing) return;
    isRenewing = true;
    const isHeld = await lease.renew();
    isRenewing = false;
    // A renewal that comes after the release finds no lease, which is nobody's loss.
    if (!isHeld && !isOver) lost.abort();
  };
  const renewing = setInterval(() => void renew(), lastsMs / 6);
  try {
    return await work(lost.signal);
  } finally {
    isOver = true;
    clearInterval(renewing);
    await lease.release();
  }
}

class Lease {
  private readonly holder = randomBytes(16);
  private readonly until: string;
  private readonly extended: string;
  /** The lease has expired before, and its holder has not renewed it since. */
  private suspects = false;
  /** By this process's clock; what the database says may not be known. */
  private heldUntil = 0;

  constructor(
    private readonly dataSource: DataSource,
    private readonly name: string,
    private readonly lastsMs: number,
  ) {
    this.until = inMs(lastsMs);
    this.extended = inMs(lastsMs / 3);
  }

  /** Two processes may do this at the same moment. */
  async createTable(): Promise<void> {
    await this.dataSource.query(
      `CREATE TABLE IF NOT EXISTS leases (
        name varchar(64) NOT NULL,
        holder binary(16) NOT NULL,
        expires_at datetime(3) NOT NULL,
        PRIMARY KEY (name)
      ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci`,
    );
  }

  async acquire(waitMs: number): Promise<void> {
    const giveUpAt = performance.now() + waitMs;
    while (!(await this.take())) {
      if (performance.now() > giveUpAt) throw new LeaseHeld(`another process holds the lease "${this.name}"`);
      await delay(ASK_EVERY_MS);
    }
  }

  /** Never rejects. @returns false where another process may hold it now */
  async renew(): Promise<boolean> {
    const asked = performance.now();
    try {
      const { affectedRows } = await this.run<{ affectedRows: number }>(
        `UPDATE leases SET expires_at = ${this.until} WHERE name = ? AND holder = ?`,
        [this.name, this.holder],
      );
      if (affectedRows === 0) return false;
      this.heldUntil = asked + this.lastsMs;
      return true;
    } catch {
      return performance.now() < this.heldUntil;
    }
  }

  /** Never rejects: it expires. */
  async release(): Promise<void> {
    await this.run('DELETE FROM leases WHERE name = ? AND holder = ?', [this.name, this.holder]).catch(() => undefined);
  }

  private async take(): Promise<boolean> {
    const asked = performance.now();
    await this.endIfHolderIsGone();
    try {
      await this.run(`INSERT INTO leases (name, holder, expires_at) VALUES (?, ?, ${this.until})`, [
        this.name,
        this.holder,
      ]);
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
    this.heldUntil = asked + this.lastsMs;
    return true;
  }

  /**
   * A holder that lives may have been unable to renew: a Galera cluster takes no writes while a table is altered. So a
   * lease that has expired is extended first, and ended once its holder has not renewed it by then either.
   */
  private async endIfHolderIsGone(): Promise<void> {
    const [row] = await this.dataSource.sql<{ expired: number; renewed: number }[]>`
      SELECT expires_at <= UTC_TIMESTAMP(3) AS expired, expires_at > ${() => this.extended} AS renewed FROM leases
        WHERE name = ${this.name}`;
    if (Number(row?.renewed) === 1) this.suspects = false;
    if (Number(row?.expired) !== 1) return;
    const isExpired = 'name = ? AND expires_at <= UTC_TIMESTAMP(3)';
    await this.run(
      this.suspects
        ? `DELETE FROM leases WHERE ${isExpired}`
        : `UPDATE leases SET expires_at = ${this.extended} WHERE ${isExpired}`,
      [this.name],
    );
    this.suspects = true;
  }

  private run<T>(sql: string, values: unknown[]): Promise<T> {
    return retryLockConflicts(() => this.dataSource.query<T>(sql, values));
  }
}
