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

/** Injection token of the process's charge batcher. */
export const CHARGE_BATCHER = Symbol('the charge batcher of this process');
export type OpenedChargeBatcher = ReturnType<typeof openChargeBatcher>;

const SILENCE_MS = 5000;
/** Each statement sees the latest commits, and locks only the rows it names. */
const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/** The fast group commit skips locked balances, so it waits only for locks on idempotency records, and not for long. */
const lockWait = (seconds: number): string => `SET SESSION innodb_lock_wait_timeout = ${seconds}`;

/** Opens the process's charge batcher, on two connections of its own that open on first use. */
export function openChargeBatcher(
  target: DatabaseTarget,
  { answerHours, now, onEntries, ...options }: OpenChargeBatcherOptions,
): { readonly batcher: ChargeBatcher; close(): Promise<void> } {
  const connect = (waitSeconds: number): PacketConnection =>
    new PacketConnection(target, { silenceMs: SILENCE_MS, session: [READ_COMMITTED, lockWait(waitSeconds)] });
  const connections = [connect(2), connect(1)] as const;
  const [fast, slow] = connections;
  const settings = { answerHours, ...(now && { now }), ...(onEntries && { onEntries }) };
  const batcher = new ChargeBatcher({
    ...options,
    fast: new ChargeRepository(fast, { ...settings, whenHeld: 'skip' }),
    slow: new ChargeRepository(slow, { ...settings, whenHeld: 'wait' }),
  });
  const close = async (): Promise<void> => {
    await batcher.close();
    for (const connection of connections) connection.drop();
  };
  return { batcher, close };
}
