import type { OnApplicationShutdown } from '@nestjs/common';
import { WriteBatcher } from '../../platform/batching/write-batcher.js';
import type { PacketConnection, Statement } from '../../platform/database/packet-connection.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { WaitingChargesRepository } from '../../billing/pending-charges/waiting-charges.repository.js';
import type { Address } from '../../engine/address/address.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { CheckCacheRepository } from '../cache/check-cache.repository.js';
import type { ActiveProbe } from './probe-transition.js';
import {
  endpointsOf,
  type VerificationEventsRepository,
  type WaitingAccount,
} from './verification-events.repository.js';

/** A probe that ends with a verdict, with no other effect. It ends only if the row still has this mode and state. */
export interface VerdictEnding extends ActiveProbe {
  /** UUID. */
  readonly probeId: string;
  readonly cached: CachedCheck;
  readonly address: Address;
}

export interface ProbeEndingBatcherParts {
  /** At READ COMMITTED, with a short lock wait timeout. */
  readonly connection: Pick<PacketConnection, 'send' | 'drop'>;
  readonly cache: Pick<CheckCacheRepository, 'storing'>;
  readonly waiting: Pick<WaitingChargesRepository, 'forgetting'>;
  readonly events?: Pick<VerificationEventsRepository, 'waiting' | 'toAccounts' | 'completed' | 'insertion' | 'queue'>;
}

/** Bounds the packet size, and how long rows stay locked. */
const MAX_GROUP = 64;

/**
 * Ends probes with their verdicts, many in one transaction of two packets. It retries nothing: callers that get false
 * end their probe in their own transaction.
 */
export class ProbeEndingBatcher implements OnApplicationShutdown {
  private readonly endings = new WriteBatcher<VerdictEnding, boolean>({
    write: (endings) => this.endGroup(endings),
    maxSize: MAX_GROUP,
  });

  constructor(private readonly parts: ProbeEndingBatcherParts) {}

  /**
   * Stores the facts in the cache, deletes the probe, and clears the charges that wait on it. Never rejects.
   * @returns false: the row has changed, or the outcome of the transaction is unknown. The facts may be stored.
   */
  end(ending: VerdictEnding): Promise<boolean> {
    return this.endings.write(ending);
  }

  onApplicationShutdown(): void {
    this.parts.connection.drop();
  }

  /** @returns for each ending whether the probe ended */
  private async endGroup(endings: readonly VerdictEnding[]): Promise<boolean[]> {
    const { connection, cache, waiting, events } = this.parts;
    // The lock order of every transaction on these rows.
    const ordered = endings.toSorted((a, b) => (a.probeId < b.probeId ? -1 : 1));
    try {
      const [, ...results] = await connection.send([
        { sql: 'START TRANSACTION' },
        ...ordered.map(({ probeId, mode, state }) => ({
          sql: 'DELETE FROM pending_probes WHERE id = ? AND active = 1 AND mode = ? AND state = ?',
          values: [idToBytes(probeId), mode, state],
        })),
        ...cache.storing(endings.map(({ cached }) => cached)),
        ...(events === undefined ? [] : [events.waiting(ordered.map(({ probeId }) => probeId))]),
      ]);
      const ended = ordered.filter((_, i) => (results[i] as { affectedRows: number }).affectedRows === 1);
      const gone = ended.map(({ probeId }) => probeId);
      const told = events?.toAccounts(results.at(-1)).filter(({ probeId }) => gone.includes(probeId)) ?? [];
      const last = [
        ...(gone.length > 0 ? [waiting.forgetting(gone)] : []),
        ...(await this.reporting(told, ended)),
        { sql: 'COMMIT' },
      ];
      await connection.send(last, { continues: true });
      events?.queue(endpointsOf(told));
      return endings.map((ending) => ended.includes(ending));
    } catch {
      // Dropping the connection makes the server roll back.
      connection.drop();
      return endings.map(() => false);
    }
  }

  /** The statement that reports the endings to the accounts that want to hear of them. */
  private async reporting(
    told: readonly WaitingAccount[],
    endings: readonly VerdictEnding[],
  ): Promise<readonly Statement[]> {
    const { events } = this.parts;
    if (events === undefined || told.length === 0) return [];
    const byProbe = new Map(endings.map((ending) => [ending.probeId, ending]));
    const deliveries = await events.completed(told, ({ probeId }) => {
      const { address, cached } = byProbe.get(probeId)!;
      return { address, check: cached };
    });
    return [events.insertion(deliveries)];
  }
}
