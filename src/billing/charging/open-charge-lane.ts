import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { ChargeLane, type ChargeLaneOptions } from './charge-lane.js';
import { ChargeRepository, type ChargeRepositoryOptions } from './charge.repository.js';

export interface OpenChargeLaneOptions extends Pick<ChargeLaneOptions, 'onTrouble' | 'maxWaitMs'> {
  /** `IDEMPOTENCY_TTL_HOURS` */
  readonly answerHours: number;
  /** SQL for the moment it is, UTC; the database's clock when left out. */
  readonly now?: string;
  readonly onEntries?: ChargeRepositoryOptions['onEntries'];
}

const SILENCE_MS = 5000;
/** Each statement sees what was committed before it, and only rows that are named are locked. */
const READ_COMMITTED = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/** For rows that the fast lane passes over, there is little to wait for: the records of idempotency keys. */
const lockWait = (seconds: number): string => `SET SESSION innodb_lock_wait_timeout = ${seconds}`;

/** The lane of a process, on two connections of its own that are opened when they are needed. */
export function openChargeLane(
  target: DatabaseTarget,
  { answerHours, now, onEntries, ...options }: OpenChargeLaneOptions,
): { readonly lane: ChargeLane; close(): Promise<void> } {
  const connect = (waitSeconds: number): PacketConnection =>
    new PacketConnection(target, { silenceMs: SILENCE_MS, session: [READ_COMMITTED, lockWait(waitSeconds)] });
  const connections = [connect(2), connect(1)] as const;
  const [fast, slow] = connections;
  const settings = { answerHours, ...(now && { now }), ...(onEntries && { onEntries }) };
  const lane = new ChargeLane({
    ...options,
    fast: new ChargeRepository(fast, { ...settings, whenHeld: 'skip' }),
    slow: new ChargeRepository(slow, { ...settings, whenHeld: 'wait' }),
  });
  const close = async (): Promise<void> => {
    await lane.close();
    for (const connection of connections) connection.drop();
  };
  return { lane, close };
}
