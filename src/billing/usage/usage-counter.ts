import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { RESULTS, type Result } from '../../engine/verdict/result.js';
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
export class UsageCounter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('Usage');
  private unwritten = new Map<string, Unwritten>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> | null = null;

  constructor(@Inject(UsageCountsRepository) private readonly rows: Pick<UsageCountsRepository, 'add'>) {}

  count(owner: UsageOwner, endpoint: MeteredKind, result: Result): void {
    const counts = this.unwritten.get(owner.keyId) ?? this.begin(owner);
    if (counts !== null) counts[endpoint][result]++;
  }

  /** Starts to write every few seconds. */
  onModuleInit(): void {
    this.timer ??= setInterval(() => void this.flush(), WRITE_EVERY_MS).unref();
  }

  /** Stops the timer and writes what is left. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.writing;
    await this.flush();
  }

  /** Writes all counts. Does nothing while an earlier write still runs. Never rejects. */
  async flush(): Promise<void> {
    if (this.writing !== null || this.unwritten.size === 0) return;
    const counts = [...this.unwritten.values()].flatMap(countsOf);
    this.unwritten = new Map();
    this.writing = this.write(counts);
    await this.writing;
    this.writing = null;
  }

  /** Keeps the rest for the next time when the database fails. */
  private async write(counts: readonly UsageCount[]): Promise<void> {
    for (let from = 0; from < counts.length; from += BATCH) {
      try {
        await this.rows.add(counts.slice(from, from + BATCH));
      } catch (err) {
        this.logger.warn({ err }, 'verdicts could not be counted yet');
        for (const each of counts.slice(from)) this.keep(each);
        return;
      }
    }
  }

  private keep({ accountId, keyId, endpoint, verdicts }: UsageCount): void {
    const counts = this.unwritten.get(keyId) ?? this.begin({ accountId, keyId });
    if (counts === null) return;
    for (const result of RESULTS) counts[endpoint][result] += verdicts[result];
  }

  /** @returns null if too many keys have unwritten counts */
  private begin({ accountId, keyId }: UsageOwner): Unwritten | null {
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
