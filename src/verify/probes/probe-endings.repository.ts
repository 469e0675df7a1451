import { Inject, Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { Address } from '../../engine/address/address.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import { inMs, NOW } from '../../platform/database/database-now.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import { FailedJobsRepository } from '../../platform/queues/failed-jobs.repository.js';
import { AddressVault } from '../address-vault/address-vault.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { catchAllEvidence } from '../cache/catch-all-evidence.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';
import { couldDeeperTell } from '../cache/serves.js';
import { toCachedCheck } from '../cache/to-cached-check.js';
import { CallChecksRepository } from './call-checks.repository.js';
import { endRow, isUncharged } from './ended-rows.repository.js';
import { probeTransition, type ActiveProbe, type ProbeTransition, type FinishedCheck } from './probe-transition.js';
import type { ProbeMode, Urgency } from './pending-probe.js';
import { END_AFTER_MINUTES, hashToBytes, QUEUE_AGAIN_SECONDS } from './pending-probes.repository.js';
import { ProbeEndingBatcher } from './probe-ending-batcher.js';
import { ProbeReportsRepository, type SealedRow } from './probe-reports.repository.js';
import { SMTP_PROBE_QUEUE } from './smtp-probe.queue.js';

/** A check to record. */
export interface RecordedCheck extends Omit<FinishedCheck, 'deeperCouldTell'> {
  readonly address: Address;
  readonly hash: string;
  readonly checkedAt: Date;
  /** The account that waited for it; left out if none did. */
  readonly accountId?: string | undefined;
  /** UUID of the pending probe whose attempt this was; left out if it was no attempt. */
  readonly probeId?: string;
}

/** The outcome of recording a check. */
interface Recording {
  readonly transition: ProbeTransition;
  /** The facts are in the cache now. */
  readonly stored: boolean;
}

interface ActiveRow extends ActiveProbe {
  readonly id: Buffer;
}

interface FailingRow extends SealedRow {
  domain: string;
  mode: ProbeMode;
  begun: number;
  failures: number;
}

const MAX_WHY = 200;
/** Transitions after which no charge waits on the probe. */
const HAS_VERDICT: ReadonlySet<ProbeTransition['kind']> = new Set(['ended', 'retry']);

/**
 * Ends pending probes, each in one transaction with the effects of the ending: facts in the cache, findings of the
 * domain, waiting charges. The probe's row is locked first, so that two endings of one probe run one after the other.
 */
@Injectable()
export class ProbeEndingsRepository {
  private readonly callChecks: CallChecksRepository;
  private readonly greylistRetryMs: number;

  /** @param now SQL for the current time, UTC */
  constructor(
    dataSource: DataSource,
    private readonly vault: AddressVault,
    private readonly cache: CheckCacheRepository,
    private readonly catchAll: CatchAllRepository,
    private readonly reports: ProbeReportsRepository,
    private readonly failedJobs: FailedJobsRepository,
    @Inject(AppConfig) config: { readonly probes: Pick<AppConfig['probes'], 'greylistRetryMs'> },
    @Optional() private readonly batcher?: ProbeEndingBatcher,
    @Optional() private readonly now: string = NOW,
  ) {
    this.callChecks = new CallChecksRepository(dataSource, cache);
    this.greylistRetryMs = config.probes.greylistRetryMs;
  }

  /** Records a check, and ends or continues the pending probe of its address, if there is one. */
  async record(check: RecordedCheck): Promise<Recording> {
    const { facts, hash, address, checkedAt } = check;
    const cached = toCachedCheck(address, hash, check);
    const finished: FinishedCheck = { ...check, deeperCouldTell: cached !== null && couldDeeperTell(cached) };
    const stored = cached !== null;
    if (stored && catchAllEvidence(facts) === null) {
      const transition = await this.recordPlain(cached, finished, check);
      if (transition !== null) return { transition, stored };
    }
    return this.reports.transaction(async (transaction, report) => {
      const probe = await lockActive(transaction, hash);
      if (stored) {
        await this.cache.storeWithin(transaction, [cached]);
        await this.noteDomain(transaction, cached);
      }
      const transition = probeTransition(finished, probe, this.greylistRetryMs);
      await this.carryOut(transaction, transition, check, probe);
      if (probe !== null && HAS_VERDICT.has(transition.kind)) {
        const found = { facts, checkedAt, engineVersion: ENGINE_VERSION };
        await report.verdict(idFromBytes(probe.id), { address, check: found });
      }
      if (probe !== null && transition.kind !== 'ended') await noteKnown(transaction, probe, checkedAt);
      return { transition, stored };
    });
  }

  /**
   * The common case: the check changes no findings of the domain, and there is no probe or the probe ends. A probe
   * added while a call's check is being stored is answered by that check, like one added after the transaction. The
   * check may be stored although more is needed: storing it again changes nothing.
   * @returns null if more is needed, or the row has changed
   */
  private async recordPlain(
    cached: CachedCheck,
    finished: FinishedCheck,
    { probeId, address }: Pick<RecordedCheck, 'probeId' | 'address'>,
  ): Promise<ProbeTransition | null> {
    if (finished.by === 'call') {
      const transition = probeTransition(finished, null, this.greylistRetryMs);
      if (transition.kind !== 'none') return null;
      return (await this.callChecks.store(cached)) ? null : transition;
    }
    if (probeId === undefined || this.batcher === undefined) return null;
    const probe = { mode: probeModeOf(finished.mode), state: finished.by === 'retry' ? 'greylisted' : 'due' } as const;
    const transition = probeTransition(finished, probe, this.greylistRetryMs);
    return transition.kind === 'ended' && (await this.batcher.end({ probeId, ...probe, cached, address }))
      ? transition
      : null;
  }

  /** Ends a probe that a cached check answers: callers that wait on it find that check. */
  settle(id: string, check: CachedCheck): Promise<void> {
    return this.reports.transaction(async (transaction, report) => {
      const [row] = await transaction.sql<SealedRow[]>`
        SELECT address_hmac, sealed_address FROM pending_probes WHERE id = ${idToBytes(id)} AND active = 1 FOR UPDATE`;
      // If the probe already ended without a verdict, its charges are refunded instead.
      if (row === undefined) return;
      await endRow(transaction, idToBytes(id), this.now);
      const parsed = parseAddress(this.reports.emailOf(row) ?? '');
      await report.verdict(id, parsed.ok ? { address: parsed.address, check } : null);
    });
  }

  /**
   * Ends a probe without a verdict: refunds the charges that wait on it (decisions 4.1), and erases the address, later
   * if a call that asked for it is not charged yet.
   * @param why for operators, without the address
   * @returns false if it ended before
   */
  fail(id: string, why: string): Promise<boolean> {
    const { reports, failedJobs } = this;
    return reports.transaction(async (transaction, report) => {
      const [row] = await transaction.sql<FailingRow[]>`
        SELECT address_hmac, sealed_address, domain, mode, begun, failures FROM pending_probes
          WHERE id = ${idToBytes(id)} AND active = 1 FOR UPDATE`;
      if (row === undefined) return false;
      const { domain, mode, begun, failures } = row;
      await transaction.sql`
        UPDATE pending_probes SET active = NULL, state = 'failed',
          sealed_address = IF(${await isUncharged(transaction, idToBytes(id))}, sealed_address, NULL),
          why = ${why.slice(0, MAX_WHY)}, ended_at = ${() => this.now} WHERE id = ${idToBytes(id)}`;
      const refunded = await report.noVerdict(id, reports.emailOf(row));
      await failedJobs.insertWithin(transaction, {
        queue: SMTP_PROBE_QUEUE.name,
        jobId: SMTP_PROBE_QUEUE.jobId({ hash: row.address_hmac.toString('hex') }),
        why,
        details: { domain, mode, begun, failures, refunded },
      });
      return true;
    });
  }

  private async noteDomain(transaction: EntityManager, { facts, domain, checkedAt }: CachedCheck): Promise<void> {
    const evidence = catchAllEvidence(facts);
    if (evidence === 'catch_all') await this.catchAll.learnWithin(transaction, domain, checkedAt);
    if (evidence === 'tells_apart') await this.catchAll.unlearnWithin(transaction, domain, checkedAt);
  }

  private async carryOut(
    transaction: EntityManager,
    transition: ProbeTransition,
    check: RecordedCheck,
    probe: ActiveRow | null,
  ): Promise<void> {
    switch (transition.kind) {
      case 'none':
      case 'kept':
        break;
      case 'goes_on':
        if (probe === null) await this.insert(transaction, check, { state: 'due', afterMs: 0, egress: null });
        else await deepen(transaction, probe, check.mode);
        break;
      case 'retry':
        if (probe === null) await this.insert(transaction, check, { state: 'greylisted', ...transition });
        else await this.keepForRetry(transaction, transition, check, probe);
        break;
      case 'ended':
        if (probe !== null) await endRow(transaction, probe.id, this.now);
    }
  }

  /** Adds a probe to continue a call's own check: no charge waits on it. */
  private async insert(
    transaction: EntityManager,
    { hash, address, mode, accountId, checkedAt }: RecordedCheck,
    { state, afterMs, egress }: { state: ActiveRow['state']; afterMs: number; egress: string | null },
  ): Promise<void> {
    const urgency: Urgency = 'single';
    await transaction.sql`
      INSERT INTO pending_probes (id, address_hmac, active, domain, sealed_address, mode, urgency, state, egress,
        account_id, askers, newer_than, requested_at, due_at, queue_at, end_by)
        VALUES (${idToBytes(newId())}, ${hashToBytes(hash)}, 1, ${address.domain},
          ${this.vault.seal(address.text, hash)}, ${probeModeOf(mode)}, ${urgency}, ${state}, ${egress},
          ${accountId === undefined ? null : idToBytes(accountId)}, 1, ${checkedAt}, ${() => this.now},
          ${() => this.moments(afterMs).join(', ')}) ON DUPLICATE KEY UPDATE id = id`;
  }

  /** Waiting charges have their verdict, `greylisted`; later calls wait for the retry. */
  private async keepForRetry(
    transaction: EntityManager,
    { afterMs, egress }: ProbeTransition & { kind: 'retry' },
    { mode }: RecordedCheck,
    probe: ActiveRow,
  ): Promise<void> {
    const [dueAt, queueAt, endBy] = this.moments(afterMs);
    await transaction.sql`UPDATE pending_probes SET state = 'greylisted', egress = ${egress}, begun = 0, failures = 0,
      due_at = ${() => dueAt}, queue_at = ${() => queueAt}, end_by = ${() => endBy} WHERE id = ${probe.id}`;
    await deepen(transaction, probe, mode);
  }

  /** SQL for `due_at`, `queue_at` and `end_by` of a probe that is due after `afterMs`. */
  private moments(afterMs: number): [string, string, string] {
    const due = inMs(afterMs, this.now);
    return [due, `${due} + INTERVAL ${QUEUE_AGAIN_SECONDS} SECOND`, `${due} + INTERVAL ${END_AFTER_MINUTES} MINUTE`];
  }
}

function probeModeOf(mode: FinishedCheck['mode']): ProbeMode {
  return mode === 'enhanced' ? 'enhanced' : 'standard';
}

async function lockActive(transaction: EntityManager, hash: string): Promise<ActiveRow | null> {
  const [row] = await transaction.sql<ActiveRow[]>`
    SELECT id, mode, state FROM pending_probes WHERE address_hmac = ${hashToBytes(hash)} AND active = 1 FOR UPDATE`;
  return row ?? null;
}

/** Only a check later than this one answers a probe that goes on. */
async function noteKnown(transaction: EntityManager, { id }: ActiveRow, checkedAt: Date): Promise<void> {
  await transaction.sql`
    UPDATE pending_probes SET newer_than = GREATEST(COALESCE(newer_than, ${checkedAt}), ${checkedAt}) WHERE id = ${id}`;
}

/** A probe that continues a check goes at least as deep as that check. */
async function deepen(transaction: EntityManager, { id, mode }: ActiveRow, to: FinishedCheck['mode']): Promise<void> {
  if (to !== 'enhanced' || mode === 'enhanced') return;
  await transaction.sql`UPDATE pending_probes SET mode = 'enhanced' WHERE id = ${id}`;
}
