import type { DataSource } from 'typeorm';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { WaitingChargesRepository } from '../../src/billing/pending-charges/waiting-charges.repository.js';
import { CatchAllRepository } from '../../src/domains/catch-all/catch-all.repository.js';
import type { Address } from '../../src/engine/address/address.js';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { ProbeFacts } from '../../src/engine/smtp/prober.js';
import type { DatabaseTarget } from '../../src/platform/config/database-url.js';
import { idToBytes } from '../../src/platform/ids/uuid.js';
import { FailedJobsRepository } from '../../src/platform/queues/failed-jobs.repository.js';
import { AddressVault } from '../../src/verify/address-vault/address-vault.js';
import { CheckCacheRepository } from '../../src/verify/cache/check-cache.repository.js';
import { LateChargesRepository } from '../../src/verify/probes/late-charges.repository.js';
import { ProbeEndingBatcher } from '../../src/verify/probes/probe-ending-batcher.js';
import type { WantedProbe } from '../../src/verify/probes/pending-probe.js';
import { PendingProbesRepository } from '../../src/verify/probes/pending-probes.repository.js';
import { ProbeReportsRepository } from '../../src/verify/probes/probe-reports.repository.js';
import { ProbeEndingsRepository, type RecordedCheck } from '../../src/verify/probes/probe-endings.repository.js';
import { ProbeAttemptsRepository } from '../../src/verify/probes/probe-attempts.repository.js';
import { ReconciliationRepository } from '../../src/verify/probes/reconciliation.repository.js';
import { checkFacts, probeFacts as usualProbeFacts } from '../factories/check-facts.js';

export const VAULT = new AddressVault([{ id: 1, key: 'the key of this test' }]);

/** SQL for the moment it is, by a clock that a test moves on. */
export const MOVED_CLOCK = '(SELECT UTC_TIMESTAMP(3) + INTERVAL seconds SECOND FROM moved_clock)';

export async function moveClock(dataSource: DataSource, seconds: number): Promise<void> {
  await dataSource.query('CREATE TABLE IF NOT EXISTS moved_clock (id int PRIMARY KEY, seconds int NOT NULL)');
  await dataSource.query('REPLACE INTO moved_clock VALUES (1, ?)', [seconds]);
}

/** The repositories as a process has them; with a target as a worker does. */
export function pendingParts(dataSource: DataSource, now?: string, target?: DatabaseTarget) {
  const waiting = new WaitingChargesRepository(new LedgerRepository(dataSource), now);
  const cache = new CheckCacheRepository(dataSource);
  const catchAll = new CatchAllRepository(dataSource);
  const failedJobs = new FailedJobsRepository(dataSource);
  const plain = target && new ProbeEndingBatcher({ database: target }, cache, waiting);
  const reports = new ProbeReportsRepository(dataSource, VAULT, waiting);
  const late = new LateChargesRepository(dataSource, cache, reports);
  const endings = new ProbeEndingsRepository(
    dataSource,
    VAULT,
    cache,
    catchAll,
    reports,
    failedJobs,
    { probes: { greylistRetryMs: 900_000 } },
    plain,
    now,
  );
  return {
    plain,
    waiting,
    cache,
    catchAll,
    failedJobs,
    endings,
    late,
    pending: new PendingProbesRepository(dataSource, VAULT, now),
    turns: new ProbeAttemptsRepository(dataSource, VAULT, now),
    reconciliation: new ReconciliationRepository(dataSource, waiting, late, now),
  };
}

export function addressOf(text: string): Address {
  const parsed = parseAddress(text);
  if (!parsed.ok) throw new Error(`not an address: ${text}`);
  return parsed.address;
}

export function wanted(text: string, more: Partial<WantedProbe> = {}): WantedProbe {
  const address = addressOf(text);
  return { hash: VAULT.hash(address), address, mode: 'standard', urgency: 'batch', newerThan: null, ...more };
}

/** With the egress that a retry must use. */
export function probeFacts(over: Partial<ProbeFacts> = {}): ProbeFacts {
  return usualProbeFacts({ egress: 'direct/mx.example.net', ...over });
}
export const GREYLISTED = probeFacts({ code: 451, class: 'greylisted', subject: 'us', diagnosis: 'greylist_deferred' });

export function recorded(text: string, probe: ProbeFacts | null, more: Partial<RecordedCheck> = {}): RecordedCheck {
  const address = addressOf(text);
  return {
    by: 'turn',
    address,
    hash: VAULT.hash(address),
    mode: 'standard',
    deferred: false,
    deadlinePassed: false,
    facts: checkFacts(probe),
    checkedAt: new Date(),
    ...more,
  };
}

export interface PendingRow {
  id: Buffer;
  address_hmac: Buffer;
  active: number | null;
  sealed_address: Buffer | null;
  mode: string;
  urgency: string;
  state: string;
  egress: string | null;
  askers: number;
  begun: number;
  failures: number;
  requested_at: Date;
  due_at: Date;
  queue_at: Date;
  end_by: Date;
  ended_at: Date | null;
  why: string | null;
}

/** Without those that ended with a verdict, whose rows may stay for a minute. */
export function pendingRows(dataSource: DataSource): Promise<PendingRow[]> {
  return dataSource.query<PendingRow[]>(
    "SELECT * FROM pending_probes WHERE active = 1 OR state = 'failed' ORDER BY id",
  );
}

export async function waitingOn(dataSource: DataSource, id: string): Promise<number> {
  const [row] = await dataSource.query<{ n: string }[]>(
    'SELECT COUNT(*) AS n FROM waiting_charges WHERE waits_on = ?',
    [idToBytes(id)],
  );
  return Number(row?.n);
}
