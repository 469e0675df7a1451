import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { parseAddress } from '../../engine/address/parse-address.js';
import { isDuplicateKey } from '../../platform/database/database-errors.js';
import { NOW } from '../../platform/database/database-now.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';
import type { EndedProbe } from './ended-probe-judge.js';
import { ProbeReportsRepository, type SealedRow } from './probe-reports.repository.js';

interface EndedRow extends SealedRow {
  active: number | null;
  state: 'due' | 'greylisted' | 'failed';
  newer_than: Date | null;
  /** 1: it is in the future, because the clock of the process that ran that check was ahead. */
  is_ahead: number | null;
}

/**
 * Settles charges that were committed after the transaction that ended their probe had looked for them: their accounts
 * are refunded or told like the others.
 */
@Injectable()
export class LateChargesRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: CheckCacheRepository,
    private readonly reports: ProbeReportsRepository,
  ) {}

  /**
   * For calls whose charges were just committed. Waits for transactions that are ending one of the probes: each either
   * sees the charge, or has ended its probe by now.
   * @param ids of the probes that the charges wait on
   */
  async settle(ids: readonly string[]): Promise<void> {
    const rows = await this.dataSource.sql<{ id: Buffer }[]>`
      SELECT id FROM pending_probes FORCE INDEX (PRIMARY) WHERE id IN (${ids.map(idToBytes)}) AND active = 1
        ORDER BY id LOCK IN SHARE MODE`;
    const goOn = new Set(rows.map(({ id }) => idFromBytes(id)));
    for (const id of ids) if (!goOn.has(id)) await this.settleOne(id);
  }

  /** Does nothing while the probe goes on. */
  settleOne(id: string): Promise<void> {
    return this.reports.transaction(async (transaction, report) => {
      const [row] = await transaction.sql<EndedRow[]>`
        SELECT address_hmac, sealed_address, active, state, newer_than, newer_than > ${() => NOW} AS is_ahead
          FROM pending_probes WHERE id = ${idToBytes(id)} FOR UPDATE`;
      if (row?.active === 1) return;
      // The row is deleted a minute after a verdict.
      if (row === undefined) return report.verdict(id, null);
      const isFailed = row.state === 'failed';
      const found = isFailed ? null : await this.found(row);
      if (found !== null) await report.verdict(id, found);
      else if (isFailed || !(await reopen(transaction, id))) await report.noVerdict(id, this.reports.emailOf(row));
    });
  }

  /** What the probe has found; null: that was not kept. */
  private async found(row: EndedRow): Promise<EndedProbe | null> {
    const hash = row.address_hmac.toString('hex');
    const check = (await this.cache.findByHash([hash])).get(hash);
    const parsed = parseAddress(this.reports.emailOf(row) ?? '');
    if (check === undefined || !parsed.ok) return null;
    const isOlder = row.newer_than !== null && row.is_ahead !== 1 && check.checkedAt <= row.newer_than;
    return isOlder ? null : { address: parsed.address, check };
  }
}

/**
 * A probe with a verdict whose facts were not kept, as of a domain that was found to accept everybody meanwhile, gets
 * another attempt: charges are told its verdict.
 * @returns false: another probe of the address is pending
 */
async function reopen(transaction: EntityManager, id: string): Promise<boolean> {
  try {
    await transaction.sql`
      UPDATE pending_probes SET active = 1, ended_at = NULL, begun = 0, due_at = ${() => NOW}, queue_at = ${() => NOW}
        WHERE id = ${idToBytes(id)}`;
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
