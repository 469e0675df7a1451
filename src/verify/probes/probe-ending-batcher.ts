import { Inject, Injectable, Optional, type OnApplicationShutdown } from '@nestjs/common';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { NOW } from '../../platform/database/database-now.js';
import { WriteBatcher } from '../../platform/batching/write-batcher.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { statement, type Statement } from '../../platform/database/statement.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import {
  WaitingChargesRepository,
  type WaitingReference,
} from '../../billing/pending-charges/waiting-charges.repository.js';
import type { Address } from '../../engine/address/address.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';
import { endedRows } from './ended-rows.repository.js';
import type { ActiveProbe } from './probe-transition.js';
import { endpointsOf, VerificationEventsRepository, type WaitingAccount } from './verification-events.repository.js';

/** A probe that ends with a verdict, with no other effect. It ends only if the row still has this mode and state. */
export interface VerdictEnding extends ActiveProbe {
  /** UUID. */
  readonly probeId: string;
  readonly cached: CachedCheck;
  readonly address: Address;
}

/** Bounds the packet size, and how long rows stay locked. */
const MAX_GROUP = 64;
/** Charges that a group may settle: a packet has its size. */
const MAX_CHARGES = 10_000;
const SILENCE_MS = 5000;
const SESSION = [
  // Each statement sees what was committed before it, and locks only the rows it names.
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  // A row locked elsewhere must not hold up the whole batch.
  'SET SESSION innodb_lock_wait_timeout = 1',
];

/**
 * Ends probes with their verdicts, many in one transaction of two packets. It retries nothing: callers that get false
 * end their probe in their own transaction, as where so many calls wait that one statement cannot name them.
 */
@Injectable()
export class ProbeEndingBatcher implements OnApplicationShutdown {
  private readonly endings = new WriteBatcher<VerdictEnding, boolean>({
    write: (endings) => this.endGroup(endings),
    maxSize: MAX_GROUP,
  });

  /** Of its own, opened on first use. */
  private readonly connection: PacketConnection;

  /** @param events left out: nobody is told */
  constructor(
    @Inject(AppSecrets) { database }: Pick<AppSecrets, 'database'>,
    private readonly cache: CheckCacheRepository,
    private readonly waiting: WaitingChargesRepository,
    @Optional() private readonly events?: VerificationEventsRepository,
  ) {
    this.connection = new PacketConnection(database, { silenceMs: SILENCE_MS, session: SESSION });
  }

  /**
   * Stores the facts in the cache, ends the probe, and clears the charges that wait on it. Never rejects.
   * @returns false: the row has changed, or the outcome of the transaction is unknown. The facts may be stored.
   */
  end(ending: VerdictEnding): Promise<boolean> {
    return this.endings.write(ending);
  }

  onApplicationShutdown(): void {
    this.connection.drop();
  }

  /** @returns for each ending whether the probe ended */
  private async endGroup(endings: readonly VerdictEnding[]): Promise<boolean[]> {
    const { connection, cache, waiting, events } = this;
    const ids = endings.map(({ probeId }) => probeId);
    try {
      const [, locked, charges, ...rest] = await connection.send([
        { sql: 'START TRANSACTION' },
        lockActive(ids),
        waiting.waiting(ids),
        ...(events === undefined ? [] : [events.waiting(ids)]),
        ...cache.storing(endings.map(({ cached }) => cached)),
      ]);
      const group = new EndingGroup(endings, locked as LockedRow[], charges as WaitingReference[]);
      const { ended, gone, references } = group;
      const accounts = events === undefined ? [] : events.toAccounts(rest[0], references);
      if (accounts === null || references.size > MAX_CHARGES) throw new Error('too much waits for one packet');
      const told = accounts.filter(({ probeId }) => gone.includes(probeId));
      const last = [
        ...group.endRows(),
        ...(references.size > 0 ? [waiting.forgetting(gone, references)] : []),
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
    const { events } = this;
    if (events === undefined || told.length === 0) return [];
    const byProbe = new Map(endings.map((ending) => [ending.probeId, ending]));
    const deliveries = await events.completed(told, ({ probeId }) => {
      const { address, cached } = byProbe.get(probeId)!;
      return { address, check: cached };
    });
    return [events.insertion(deliveries)];
  }
}

interface LockedRow extends ActiveProbe {
  readonly id: Buffer;
  readonly askers: number;
}

/** Locks the rows in the order of every transaction on them. */
function lockActive(ids: readonly string[]): Statement {
  return statement`SELECT id, mode, state, askers FROM pending_probes FORCE INDEX (PRIMARY)
    WHERE id IN (${ids.map(idToBytes)}) AND active = 1 ORDER BY id FOR UPDATE`;
}

/** The endings of one transaction, with what it has locked and read. */
class EndingGroup {
  /** Those whose rows are unchanged. */
  readonly ended: readonly VerdictEnding[];
  /** Their ids. */
  readonly gone: readonly string[];
  /** Of the charges that wait on them. */
  readonly references: ReadonlySet<string>;
  private readonly rows: ReadonlyMap<string, LockedRow>;
  private readonly charged = new Map<string, number>();

  constructor(endings: readonly VerdictEnding[], locked: readonly LockedRow[], charges: readonly WaitingReference[]) {
    this.rows = new Map(locked.map((row) => [idFromBytes(row.id), row]));
    this.ended = endings.filter(({ probeId, mode, state }) => {
      const row = this.rows.get(probeId);
      return row?.mode === mode && row.state === state;
    });
    this.gone = this.ended.map(({ probeId }) => probeId);
    const references = new Set<string>();
    for (const { waits_on, reference } of charges) {
      const id = idFromBytes(waits_on);
      if (!this.gone.includes(id)) continue;
      references.add(reference);
      this.charged.set(id, (this.charged.get(id) ?? 0) + 1);
    }
    this.references = references;
  }

  endRows(): Statement[] {
    const isUncharged = (id: string): boolean => this.rows.get(id)!.askers > (this.charged.get(id) ?? 0);
    const kept = this.gone.filter(isUncharged).map(idToBytes);
    const deleted = this.gone.filter((id) => !isUncharged(id)).map(idToBytes);
    return [
      ...(kept.length > 0 ? [endedRows.keeping(kept, NOW)] : []),
      ...(deleted.length > 0 ? [endedRows.deleting(deleted)] : []),
    ];
  }
}
