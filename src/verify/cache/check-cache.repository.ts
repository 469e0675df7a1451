import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PurgeEvery } from '../../platform/queues/maintenance-every.js';
import { CATCH_ALL_BESIDE } from '../../domains/catch-all/catch-all.repository.js';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { LogThrottle } from '../../platform/scheduling/log-throttle.js';
import { AddressVault } from '../address-vault/address-vault.js';
import { DEPTHS, type CachedCheck, type Depth } from './cached-check.js';
import { readFacts, writeFacts } from './facts-text.js';
import { isTransient } from './life.js';
import { Statement, statement } from '../../platform/database/statement.js';

interface CheckRow {
  readonly address_hmac: Buffer;
  readonly domain: string;
  readonly depth: Depth;
  /** Text on MariaDB. */
  readonly facts: unknown;
  readonly engine_version: number;
  readonly checked_at: Date;
  readonly expires_at: Date;
  /** Present if the query selects it. */
  readonly catch_all_at?: Date | null;
}

/** A cached check, and what is known of its domain. */
export interface CheckOnRecord {
  readonly check: CachedCheck;
  /** When the domain was last found to accept every recipient; null: not known to. */
  readonly catchAllAt: Date | null;
}

const COLUMNS =
  'address_hmac, cached_checks.domain, depth, facts, engine_version, cached_checks.checked_at, cached_checks.expires_at';
const SELECT = `SELECT ${COLUMNS} FROM cached_checks WHERE address_hmac IN (?)`;
const SELECT_WITH_DOMAIN = `SELECT ${COLUMNS}, ${CATCH_ALL_BESIDE.column} FROM cached_checks
  ${CATCH_ALL_BESIDE.join('cached_checks.domain')} WHERE address_hmac IN (?)`;

/** Rows that `purgeDomain` deletes per statement: small, so that locks are short. */
const DELETED_AT_ONCE = 500;
/** Days that expired rows are kept (decisions 6.7). */
const KEPT_DAYS = 90;

/** An older check never replaces a later one, unless that is from the future: the clock of its process was ahead. */
const LATER = '(VALUES(checked_at) >= checked_at OR checked_at > UTC_TIMESTAMP(3) + INTERVAL 1 MINUTE)';
/**
 * A transient result of a shallower check does not replace a deeper one that has not expired. `+ 0` compares the enum
 * by position, not by letters.
 */
const NOT_SHALLOWER = `NOT (VALUES(depth) + 0 < depth + 0 AND expires_at > VALUES(checked_at))`;

/**
 * One statement that keeps or replaces each row as a whole. The columns in the condition are assigned last, and
 * assigning one does not change the condition's value: MySQL reads columns that it has already assigned.
 */
const upsert = (wins: string): string => `INSERT INTO cached_checks
    (address_hmac, hmac_key, domain, depth, facts, engine_version, checked_at, expires_at) VALUES ?
  ON DUPLICATE KEY UPDATE ${['hmac_key', 'domain', 'facts', 'engine_version', 'depth', 'expires_at', 'checked_at']
    .map((column) => `${column} = IF(${wins}, VALUES(${column}), ${column})`)
    .join(', ')}`;
const STORE_SETTLED = upsert(LATER);
const STORE_TRANSIENT = upsert(`${LATER} AND ${NOT_SHALLOWER}`);

/** Cached checks by address hash (decisions 6.7). Callers decide whether a check still serves. */
@Injectable()
export class CheckCacheRepository {
  private readonly keyId: number;
  private readonly logger = new Logger('CheckCache');
  private readonly checks: ReadBatcher<CachedCheck>;
  private readonly withDomains: ReadBatcher<CheckOnRecord>;
  /** Rows, since the process started. */
  private unreadable = 0;
  private readonly warnings = new LogThrottle();

  /** @param vault its key id is stored with each row; commands that write no rows leave it out */
  constructor(
    private readonly dataSource: DataSource,
    vault?: AddressVault,
  ) {
    this.keyId = vault?.keyId ?? 1;
    this.checks = new ReadBatcher((hashes) => this.readMany(SELECT, hashes, (check) => check));
    this.withDomains = new ReadBatcher((hashes) =>
      this.readMany(SELECT_WITH_DOMAIN, hashes, (check, row) => ({ check, catchAllAt: row.catch_all_at ?? null })),
    );
  }

  /**
   * The cached checks of these hashes, expired ones included.
   * @throws AppError `service_unavailable`
   */
  findByHash(hashes: readonly string[]): Promise<ReadonlyMap<string, CachedCheck>> {
    return this.checks.read(hashes);
  }

  /** Also reads what is known of their domains, in one query. @throws AppError `service_unavailable` */
  findWithDomains(hashes: readonly string[]): Promise<ReadonlyMap<string, CheckOnRecord>> {
    return this.withDomains.read(hashes);
  }

  /**
   * Stores checks. A later cached check stays, and so does a deeper unexpired one if the new one is transient. Rows are
   * locked in one order; the caller retries a lock conflict.
   */
  async storeWithin(manager: EntityManager, checks: readonly CachedCheck[]): Promise<void> {
    for (const storing of this.storing(checks)) await storing.run(manager);
  }

  /** The statements of `storeWithin`. */
  storing(checks: readonly CachedCheck[]): readonly Statement[] {
    const ordered = checks.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
    const settled = ordered.filter(({ facts }) => !isTransient(facts));
    const transient = ordered.filter(({ facts }) => isTransient(facts));
    const storing = (sql: string, some: readonly CachedCheck[]): Statement[] =>
      some.length === 0 ? [] : [new Statement(sql, [some.map((check) => this.toRow(check))])];
    return [...storing(STORE_SETTLED, settled), ...storing(STORE_TRANSIENT, transient)];
  }

  /** Stores checks by statements of their own. Storing them again changes nothing, so the caller may retry. */
  async store(checks: readonly CachedCheck[]): Promise<void> {
    for (const { sql, values } of this.storing(checks)) await askPool(this.dataSource, sql, values);
  }

  /** Deletes all cached checks of a domain, in small transactions. @returns how many */
  async purgeDomain(domain: string): Promise<number> {
    let purged = 0;
    for (;;) {
      const ofDomain = statement`domain = ${domain}`;
      const hmacs = await this.hmacsOf(ofDomain, DELETED_AT_ONCE);
      await this.delete(hmacs, ofDomain);
      purged += hmacs.length;
      if (hmacs.length < DELETED_AT_ONCE) return purged;
    }
  }

  /** Deletes up to `limit` rows that expired long ago. @returns the number deleted */
  @PurgeEvery(10 * 60_000, 'delete-old-checks')
  async deleteOld(limit: number): Promise<number> {
    const old = statement`expires_at <= UTC_TIMESTAMP(3) - INTERVAL ${KEPT_DAYS} DAY`;
    const hmacs = await this.hmacsOf(statement`${old} ORDER BY expires_at`, limit);
    // The condition is repeated, so that a row refreshed since the read stays.
    await this.delete(hmacs, old);
    return hmacs.length;
  }

  private async hmacsOf(where: Statement, limit: number): Promise<Buffer[]> {
    const select = statement`SELECT address_hmac FROM cached_checks WHERE ${where} LIMIT ${limit}`;
    const rows = await select.run<Pick<CheckRow, 'address_hmac'>[]>(this.dataSource);
    return rows.map(({ address_hmac }) => address_hmac);
  }

  /** Deletes by primary key, so that no other rows are locked. */
  private async delete(hmacs: readonly Buffer[], and: Statement): Promise<void> {
    if (hmacs.length === 0) return;
    await statement`
      DELETE c FROM cached_checks AS c FORCE INDEX (PRIMARY) WHERE address_hmac IN (${hmacs}) AND ${and}`.run(
      this.dataSource,
    );
  }

  private toRow({ hash, domain, depth, facts, engineVersion, checkedAt, expiresAt }: CachedCheck): unknown[] {
    const hmac = Buffer.from(hash, 'hex');
    return [hmac, this.keyId, domain, depth, writeFacts(facts), engineVersion, checkedAt, expiresAt];
  }

  private async readMany<Value>(
    select: string,
    hashes: readonly string[],
    toValue: (check: CachedCheck, row: CheckRow) => Value,
  ): Promise<ReadonlyMap<string, Value>> {
    const rows = await askPool<CheckRow[]>(this.dataSource, select, [hashes.map((hash) => Buffer.from(hash, 'hex'))]);
    const found = new Map<string, Value>();
    for (const row of rows) {
      const check = toCheck(row);
      if (check === null) this.noteUnreadable();
      else found.set(check.hash, toValue(check, row));
    }
    return found;
  }

  /** Counts as a miss: the address is checked again and the row replaced. */
  private noteUnreadable(): void {
    this.unreadable += 1;
    if (!this.warnings.passes()) return;
    this.logger.warn({ rows: this.unreadable }, 'cached checks that this release cannot read are ignored');
  }
}

function toCheck(row: CheckRow): CachedCheck | null {
  const facts = readFacts(row.facts);
  if (facts === null || !DEPTHS.includes(row.depth)) return null;
  return {
    hash: row.address_hmac.toString('hex'),
    domain: row.domain,
    facts,
    depth: row.depth,
    checkedAt: row.checked_at,
    expiresAt: row.expires_at,
    engineVersion: row.engine_version,
  };
}
