import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { ProbeEndingBatcher, type ProbeEndingBatcherParts } from './probe-ending-batcher.js';

const SILENCE_MS = 5000;
const SESSION = [
  // Each statement sees what was committed before it, and only rows that are named are locked.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // A row that is held elsewhere shall not hold up all the others.
  'SET SESSION innodb_lock_wait_timeout = 1',
];

/** On a connection of its own, which is opened when it is needed. */
export function openProbeEndingBatcher(
  target: DatabaseTarget,
  parts: Omit<ProbeEndingBatcherParts, 'connection'>,
): ProbeEndingBatcher {
  return new ProbeEndingBatcher({
    ...parts,
    connection: new PacketConnection(target, { silenceMs: SILENCE_MS, session: SESSION }),
  });
}
