import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { ChargeBatcher, type ChargeBatcherOptions } from './charge-batcher.js';
import { ChargeRepository, type ChargeRepositoryOptions } from './charge.repository.js';

export interface OpenChargeBatcherOptions extends Pick<ChargeBatcherOptions, 'onTrouble' | 'maxWaitMs'> {
  /** `IDEMPOTENCY_TTL_HOURS` */
  readonly answerHours: number;
  /** SQL for the current time, UTC; defaults to the database's clock. */
  readonly now?: string;
  readonly onEntries?: ChargeRepositoryOptions['onEntries'];
}

const SILENCE_MS = 5000;
/** Each statement sees the latest commits, and locks only the rows it names. */
const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/** The fast group commit skips locked balances, so it waits only for locks on idempotency records, and not for long. */
const lockWait = (seconds: number): string => `SET SESSION innodb_lock_wait_timeout = ${seconds}`;

/** The process's charge batcher, on two connections of its own that open on first use. */
export function openChargeBatcher(
  target: DatabaseTarget,
  { answerHours, now, onEntries, ...options }: OpenChargeBatcherOptions,
): ChargeBatcher {
  const settings = { answerHours, ...(now && { now }), ...(onEntries && { onEntries }) };
  const open = (whenHeld: ChargeRepositoryOptions['whenHeld'], waitSeconds: number): ChargeRepository => {
    const session = [READ_COMMITTED, lockWait(waitSeconds)];
    return new ChargeRepository(new PacketConnection(target, { silenceMs: SILENCE_MS, session }), {
      ...settings,
      whenHeld,
    });
  };
  return new ChargeBatcher({ ...options, fast: open('skip', 2), slow: open('wait', 1) });
}
