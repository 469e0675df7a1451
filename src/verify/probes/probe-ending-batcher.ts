import type { OnApplicationShutdown } from '@nestjs/common';
import type { PacketConnection } from '../../platform/database/packet-connection.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { WaitingChargesRepository } from '../../billing/pending-charges/waiting-charges.repository.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { CheckCacheRepository } from '../cache/check-cache.repository.js';
import type { ActiveProbe } from './probe-transition.js';

/** A probe that ends with a check which means nothing else. As it is known to stand: otherwise it does not end. */
export interface VerdictEnding extends ActiveProbe {
  /** UUID. */
  readonly probeId: string;
  readonly cached: CachedCheck;
}

export interface ProbeEndingBatcherParts {
  /** At READ COMMITTED, with a short patience for locks. */
  readonly connection: Pick<PacketConnection, 'send' | 'drop'>;
  readonly cache: Pick<CheckCacheRepository, 'storing'>;
  readonly waiting: Pick<WaitingChargesRepository, 'forgetting'>;
}

interface Waiting {
  readonly ending: VerdictEnding;
  readonly resolve: (ended: boolean) => void;
}

/** Bounds a packet, and for how long rows are locked. */
const MAX_GROUP = 64;

/**
 * Ends probes with their verdict, many in one transaction of two packets: whatever waits when the last one is committed goes
 * into the next. It makes nothing of difficulties: whoever was not served does the same in a transaction of its own.
 */
export class ProbeEndingBatcher implements OnApplicationShutdown {
  private waiting: Waiting[] = [];
  private running = false;

  constructor(private readonly parts: ProbeEndingBatcherParts) {}

  /**
   * The facts go into the cache, the probe is over, and nothing waits on it any more. Never rejects.
   * @returns false: the probe is not what it was, or it is not known what became of all that. The facts may stand.
   */
  end(ending: VerdictEnding): Promise<boolean> {
    return new Promise((resolve) => {
      this.waiting.push({ ending, resolve });
      if (!this.running) void this.endAll();
    });
  }

  onApplicationShutdown(): void {
    this.parts.connection.drop();
  }

  private async endAll(): Promise<void> {
    this.running = true;
    // Whoever comes in this turn of the event loop goes along.
    await Promise.resolve();
    while (this.waiting.length > 0) {
      // In one order, as everybody locks these rows.
      const group = this.waiting
        .splice(0, MAX_GROUP)
        .toSorted((a, b) => (a.ending.probeId < b.ending.probeId ? -1 : 1));
      const ended = await this.endGroup(group.map(({ ending }) => ending));
      group.forEach(({ resolve }, i) => resolve(ended[i] === true));
    }
    this.running = false;
  }

  /** @returns for each whether it ended */
  private async endGroup(endings: readonly VerdictEnding[]): Promise<boolean[]> {
    const { connection, cache, waiting } = this.parts;
    try {
      const [, ...results] = await connection.send([
        { sql: 'START TRANSACTION' },
        ...endings.map(({ probeId, mode, state }) => ({
          sql: 'DELETE FROM pending_probes WHERE id = ? AND active = 1 AND mode = ? AND state = ?',
          values: [idToBytes(probeId), mode, state],
        })),
        ...cache.storing(endings.map(({ cached }) => cached)),
      ]);
      const ended = endings.map((_, i) => (results[i] as { affectedRows: number }).affectedRows === 1);
      const gone = endings.filter((_, i) => ended[i]).map(({ probeId }) => probeId);
      await connection.send([...(gone.length > 0 ? [waiting.forgetting(gone)] : []), { sql: 'COMMIT' }]);
      return ended;
    } catch {
      // The server rolls back what was begun.
      connection.drop();
      return [];
    }
  }
}
