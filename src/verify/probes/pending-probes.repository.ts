import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { ReadBatcher } from '../../platform/batching/read-batcher.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { isLockConflict } from '../../platform/database/database-errors.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { AddressVault } from '../address-vault/address-vault.js';
import type { PendingState, WantedProbe } from './pending-probe.js';

interface IdRow {
  id: Buffer;
  address_hmac: Buffer;
}

interface StateRow extends IdRow {
  state: PendingState['kind'];
  egress: string | null;
  due_in: string | number;
}

/** How long a failed probe is reported (decisions 4.1). */
const FAILED_SECONDS = 60;
/** A probe ends at the latest so long after its request (decisions 6.8). */
export const END_AFTER_MINUTES = 60;
/** A job that was not seen for so long counts as lost by Redis. */
export const QUEUE_AGAIN_SECONDS = 10;
/** Retries for a row that ends while it is added, or that another transaction adds too. */
const MAX_TRIES = 5;
const MAX_ASKERS = 60_000;
const LATER_OF_BOTH = 'GREATEST(COALESCE(newer_than, VALUES(newer_than)), COALESCE(VALUES(newer_than), newer_than))';

/** Adds and reads pending probes for calls. */
@Injectable()
export class PendingProbesRepository {
  private readonly states: ReadBatcher<PendingState>;

  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: AddressVault,
    @Optional() private readonly now: string = NOW,
  ) {
    this.states = new ReadBatcher((hashes) => this.readStates(hashes));
  }

  /**
   * Adds probes for addresses that have none pending. A pending probe keeps its id and takes the deeper mode and the
   * higher urgency. Callers then call `SmtpProbeProducer` or `dropUnpaid`.
   * @returns one probe per request, in order
   */
  async addProbes(wanted: readonly WantedProbe[]): Promise<readonly { readonly id: string; readonly hash: string }[]> {
    const missing = new Map(wanted.toSorted(byDepthAndUrgency).map((probe) => [probe.hash, probe]));
    const ids = new Map<string, string>();
    for (let tries = 0; missing.size > 0; tries++) {
      if (tries === MAX_TRIES) throw new Error('pending probes disappear as soon as they are added');
      if (!(await this.insert([...missing.values()]))) continue;
      for (const { id, address_hmac } of await this.activeOf([...missing.keys()])) {
        const hash = address_hmac.toString('hex');
        ids.set(hash, idFromBytes(id));
        missing.delete(hash);
      }
    }
    return wanted.map(({ hash }) => ({ hash, id: ids.get(hash) as string }));
  }

  /**
   * The pending probes of these addresses, and those that failed within the last minute.
   * @throws AppError `service_unavailable`
   */
  findStates(hashes: readonly string[]): Promise<ReadonlyMap<string, PendingState>> {
    return this.states.read(hashes);
  }

  /**
   * Deletes rows just added for an unpaid call if no other call requested them, no charge waits on them and no attempt
   * has begun. Best effort.
   */
  async dropUnpaid(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const bytes = [...new Set(ids)].toSorted().map(idToBytes);
    await retriedTransaction(this.dataSource, async (transaction) => {
      await transaction.sql`UPDATE pending_probes SET askers = askers - 1 WHERE id IN (${bytes}) AND askers > 0`;
      await transaction.sql`
        DELETE FROM pending_probes WHERE id IN (${bytes}) AND active = 1 AND askers = 0 AND begun = 0
          AND state = 'due' AND NOT EXISTS (SELECT 1 FROM waiting_charges WHERE waits_on = pending_probes.id)`;
    });
  }

  /** @returns false after a lock conflict: nothing was added */
  private async insert(wanted: readonly WantedProbe[]): Promise<boolean> {
    const { now } = this;
    const row = `(?, ?, 1, ?, ?, ?, ?, 'due', ?, 1, ?, ${now}, ${now},
      ${now} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND, ${now} + INTERVAL ${END_AFTER_MINUTES} MINUTE)`;
    // One lock order, so that two transactions that add the same probes do not deadlock.
    const ordered = wanted.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
    try {
      await this.dataSource.query(
        `INSERT INTO pending_probes (id, address_hmac, active, domain, sealed_address, mode, urgency, state, account_id, askers,
            newer_than, requested_at, due_at, queue_at, end_by)
          VALUES ${ordered.map(() => row).join(', ')}
          ON DUPLICATE KEY UPDATE mode = IF(VALUES(mode) = 'enhanced', 'enhanced', mode),
            urgency = IF(VALUES(urgency) = 'single', 'single', urgency), newer_than = ${LATER_OF_BOTH}, account_id = COALESCE(account_id, VALUES(account_id)),
            askers = LEAST(askers + 1, ${MAX_ASKERS})`,
        ordered.flatMap(({ hash, address, mode, urgency, accountId, newerThan }) => [
          idToBytes(newId()),
          hashToBytes(hash),
          address.domain,
          this.vault.seal(address.text, hash),
          mode,
          urgency,
          accountId === undefined ? null : idToBytes(accountId),
          newerThan,
        ]),
      );
      return true;
    } catch (error) {
      if (isLockConflict(error)) return false;
      throw error;
    }
  }

  private async readStates(hashes: readonly string[]): Promise<ReadonlyMap<string, PendingState>> {
    const rows = await askPool<StateRow[]>(
      this.dataSource,
      `SELECT id, address_hmac, state, egress, TIMESTAMPDIFF(MICROSECOND, ${this.now}, due_at) AS due_in FROM pending_probes
        WHERE address_hmac IN (?) AND (active = 1 OR state = 'failed' AND ended_at > ${this.now} - INTERVAL ? SECOND)`,
      [hashes.map(hashToBytes), FAILED_SECONDS],
    );
    const found = new Map<string, PendingState>();
    for (const { id, address_hmac, state, egress, due_in } of rows) {
      const hash = address_hmac.toString('hex');
      if (state === 'failed' && found.has(hash)) continue;
      found.set(hash, { id: idFromBytes(id), hash, kind: state, egress, dueInMs: msUntil(due_in) });
    }
    return found;
  }

  private activeOf(hashes: readonly string[]): Promise<IdRow[]> {
    return this.dataSource.sql<IdRow[]>`
      SELECT id, address_hmac FROM pending_probes WHERE address_hmac IN (${hashes.map(hashToBytes)}) AND active = 1`;
  }
}

/** The 32 octets of an address hash. */
export function hashToBytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

/** @param microseconds until then, or since then where negative */
export function msUntil(microseconds: string | number): number {
  return Math.max(0, Math.ceil(Number(microseconds) / 1000));
}

/** Sorts the deeper and more urgent of two probes of one address last. */
function byDepthAndUrgency(a: WantedProbe, b: WantedProbe): number {
  const rank = ({ mode, urgency }: WantedProbe): number =>
    Number(mode === 'enhanced') * 2 + Number(urgency === 'single');
  return rank(a) - rank(b);
}
