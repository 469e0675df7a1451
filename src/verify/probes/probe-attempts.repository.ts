import { Injectable, Optional } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CATCH_ALL_BESIDE } from '../../domains/catch-all/catch-all.repository.js';
import { inMs, NOW } from '../../platform/database/database-now.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import { AddressVault } from '../address-vault/address-vault.js';
import type { ProbeMode } from './pending-probe.js';
import { END_AFTER_MINUTES, hashToBytes, msUntil, QUEUE_AGAIN_SECONDS } from './pending-probes.repository.js';

/** A pending probe that may be due for an attempt. */
export interface ProbeAttempt {
  readonly id: string;
  readonly hash: string;
  /** As requested, trimmed and lowercased; null when its key is gone. */
  readonly email: string | null;
  readonly domain: string;
  readonly mode: ProbeMode;
  readonly state: 'due' | 'greylisted';
  readonly egress: string | null;
  /** The account whose share of the queue it uses; null: unknown. */
  readonly accountId: string | null;
  /** A later cached check answers the probe; null: any does. */
  readonly newerThan: Date | null;
  /** When the cached check ran; null: there is none. */
  readonly lastCheckedAt: Date | null;
  /** Since the request its domain was found to accept every recipient. What was known before was too old for it. */
  readonly catchAll: boolean;
  /** 0: due now. */
  readonly dueInMs: number;
  /** Since the request, or since its retry was first due. */
  readonly waitedMs: number;
  /** Attempts that began and never reported back. */
  readonly begun: number;
  /** Attempts that failed on our side. */
  readonly failures: number;
}

interface TurnRow extends Omit<
  ProbeAttempt,
  'id' | 'hash' | 'email' | 'accountId' | 'catchAll' | 'dueInMs' | 'waitedMs'
> {
  id: Buffer;
  sealedAddress: Buffer;
  accountId: Buffer | null;
  requestedAt: Date;
  catch_all_at: Date | null;
  dueIn: string | number;
  endIn: string | number;
}

/** Reads and updates the attempts of pending probes, for workers. */
@Injectable()
export class ProbeAttemptsRepository {
  /** @param now SQL for the current time, UTC */
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: AddressVault,
    @Optional() private readonly now: string = NOW,
  ) {}

  /**
   * The pending probe of an address, with the current cached check and findings of its domain; null if none is pending.
   */
  async findAttempt(hash: string): Promise<ProbeAttempt | null> {
    const [row] = await this.dataSource.sql<TurnRow[]>`
      SELECT p.id, p.sealed_address AS sealedAddress, p.domain, p.mode, p.state, p.egress, p.account_id AS accountId,
        p.begun, p.failures, p.newer_than AS newerThan, p.requested_at AS requestedAt,
          TIMESTAMPDIFF(MICROSECOND, ${() => this.now}, p.due_at) AS dueIn,
          TIMESTAMPDIFF(MICROSECOND, ${() => this.now}, p.end_by) AS endIn,
          cached_checks.checked_at AS lastCheckedAt, ${() => CATCH_ALL_BESIDE.column}
        FROM pending_probes AS p
          LEFT JOIN cached_checks ON cached_checks.address_hmac = p.address_hmac
          ${() => CATCH_ALL_BESIDE.join('p.domain')}
        WHERE p.address_hmac = ${hashToBytes(hash)} AND p.active = 1`;
    if (row === undefined) return null;
    const { id, sealedAddress, accountId, requestedAt, catch_all_at, dueIn, endIn, ...rest } = row;
    return {
      ...rest,
      id: idFromBytes(id),
      hash,
      accountId: accountId && idFromBytes(accountId),
      email: this.unsealed(sealedAddress, hash),
      catchAll: catch_all_at !== null && catch_all_at >= requestedAt,
      dueInMs: msUntil(dueIn),
      waitedMs: Math.max(0, END_AFTER_MINUTES * 60_000 - Number(endIn) / 1000),
    };
  }

  /**
   * Begins an attempt. Only the leader of the address's single-flight calls this.
   * @returns false when the row has changed: the probe has ended, must go deeper, or is not due
   */
  async beginAttempt({ id, mode, state }: Pick<ProbeAttempt, 'id' | 'mode' | 'state'>): Promise<boolean> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE pending_probes SET begun = begun + 1
        WHERE id = ${idToBytes(id)} AND active = 1 AND mode = ${mode} AND state = ${state}
          AND due_at <= ${() => this.now}`;
    return affectedRows === 1;
  }

  /** Reverts an attempt that began but asked no mail host. */
  async cancelAttempt(id: string): Promise<void> {
    await this.dataSource.sql`
      UPDATE pending_probes SET begun = begun - 1 WHERE id = ${idToBytes(id)} AND active = 1 AND begun > 0`;
  }

  /** Ends an attempt but not the probe: the next attempt is due after `afterMs`. */
  async postpone(id: string, { afterMs, failed }: { afterMs: number; failed: boolean }): Promise<void> {
    const due = inMs(afterMs, this.now);
    await this.dataSource.sql`
      UPDATE pending_probes SET begun = 0, failures = failures + ${Number(failed)}, due_at = ${() => due},
        queue_at = ${() => due} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND WHERE id = ${idToBytes(id)} AND active = 1`;
  }

  private unsealed(sealed: Buffer, hash: string): string | null {
    try {
      return this.vault.open(sealed, hash);
    } catch {
      return null;
    }
  }
}
