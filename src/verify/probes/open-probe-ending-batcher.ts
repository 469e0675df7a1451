import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { ProbeEndingBatcher, type ProbeEndingBatcherParts } from './probe-ending-batcher.js';

const SILENCE_MS = 5000;
const SESSION = [
  // Each statement sees what was committed before it, and locks only the rows it names.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // A row locked elsewhere must not hold up the whole batch.
  'SET SESSION innodb_lock_wait_timeout = 1',
];

/** Uses its own connection, opened on first use. */
export function openProbeEndingBatcher(
  target: DatabaseTarget,
  parts: Omit<ProbeEndingBatcherParts, 'connection'>,
): ProbeEndingBatcher {
  return new ProbeEndingBatcher({
    ...parts,
    connection: new PacketConnection(target, { silenceMs: SILENCE_MS, session: SESSION }),
  });
}
