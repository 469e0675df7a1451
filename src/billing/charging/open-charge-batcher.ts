import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { ChargeBatcher, type ChargeBatcherOptions } from './charge-batcher.js';
import { ChargeRepository, type ChargeRepositoryOptions } from './charge.repository.js';

export interface OpenChargeBatcherOptions extends Pick<ChargeBatcherOptions, 'onTrouble' | 'maxWaitMs'> {
  /** `IDEMPOTENCY_TTL_HOURS` */
  readonly answerHours: number;
  /** SQL for the moment it is, UTC; the database's clock when left out. */
  readonly now?: string;
  readonly onEntries?: ChargeRepositoryOptions['onEntries'];
}

/** Token of the charge batcher of a process. */
export const CHARGE_BATCHER = Symbol('the charge batcher of this process');
export type OpenedChargeBatcher = ReturnType<typeof openChargeBatcher>;

const SILENCE_MS = 5000;
/** Each statement sees what was committed before it, and only rows that are named are locked. */
const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/** For rows that the fast group commit passes over, there is little to wait for: the records of idempotency keys. */
const lockWait = (seconds: number): string => `SET SESSION innodb_lock_wait_timeout = ${seconds}`;

/** The charge batcher of a process, on two connections of its own that are opened when they are needed. */
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
