import { Inject, Injectable, Logger } from '@nestjs/common';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { PeriodicTask } from '../../platform/scheduling/periodic-task.js';
import type { MeteredKind } from '../metering/metered-kind.js';
import { UsageCountsRepository, type UsageCount } from './usage-counts.repository.js';

/** Whose verdicts are counted. */
export interface UsageOwner {
  readonly accountId: string;
  readonly keyId: string;
}

type Verdicts = Record<Result, number>;

/** Counts of one key that are not written yet. */
interface Unwritten extends UsageOwner {
  readonly single: Verdicts;
  readonly batch: Verdicts;
  readonly job: Verdicts;
}

const WRITE_EVERY_MS = 5000;
/** Keys with unwritten counts. Verdicts of further keys are not counted until these are written. */
const MAX_KEYS = 20_000;
/** Rows per statement. */
const BATCH = 500;
const KINDS = ['single', 'batch', 'job'] as const satisfies readonly MeteredKind[];

/**
 * Counts verdicts by account, key and endpoint in memory, and adds them to the table every few seconds. A verdict costs a
 * look-up in a map; a process that is killed loses the counts of its last seconds.
 */
@Injectable()
export class UsageCounter extends PeriodicTask {
  protected readonly logger = new Logger('Usage');
  protected readonly failureMessage = 'verdicts could not be counted yet';
  private unwritten = new Map<string, Unwritten>();

  constructor(@Inject(UsageCountsRepository) private readonly rows: Pick<UsageCountsRepository, 'add'>) {
    super(WRITE_EVERY_MS);
  }

  count(owner: UsageOwner, endpoint: MeteredKind, result: Result): void {
    const counts = this.unwritten.get(owner.keyId) ?? this.addOwner(owner);
    if (counts !== null) counts[endpoint][result]++;
  }

  /** Writes all counts. Never rejects. */
  flush(): Promise<void> {
    return this.begin();
  }

  /** Writes what is left. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.flush();
  }

  /** Keeps the rest for the next run when the database fails, without what it may have taken. */
  protected override async runOnce(): Promise<void> {
    const counts = [...this.unwritten.values()].flatMap(countsOf);
    this.unwritten = new Map();
    for (let from = 0; from < counts.length; from += BATCH) {
      try {
        await this.rows.add(counts.slice(from, from + BATCH));
      } catch (error) {
        const keptFrom = error instanceof CommitUnknown ? from + BATCH : from;
        for (const each of counts.slice(keptFrom)) this.keep(each);
        throw error;
      }
    }
  }

  private keep({ accountId, keyId, endpoint, verdicts }: UsageCount): void {
    const counts = this.unwritten.get(keyId) ?? this.addOwner({ accountId, keyId });
    if (counts === null) return;
    for (const result of RESULTS) counts[endpoint][result] += verdicts[result];
  }

  /** @returns null if too many keys have unwritten counts */
  private addOwner({ accountId, keyId }: UsageOwner): Unwritten | null {
    if (this.unwritten.size >= MAX_KEYS) return null;
    const counts = { accountId, keyId, single: none(), batch: none(), job: none() };
    this.unwritten.set(keyId, counts);
    return counts;
  }
}

function none(): Verdicts {
  return { valid: 0, invalid: 0, catch_all: 0, disposable: 0, role: 0, unknown: 0 };
}

function countsOf({ accountId, keyId, ...byKind }: Unwritten): UsageCount[] {
  return KINDS.map((endpoint) => ({ accountId, keyId, endpoint, verdicts: byKind[endpoint] })).filter(({ verdicts }) =>
    RESULTS.some((result) => verdicts[result] > 0),
  );
}
