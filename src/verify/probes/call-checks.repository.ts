import type { DataSource } from 'typeorm';
import { WriteBatcher } from '../../platform/batching/write-batcher.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { retryLockConflicts } from '../../platform/database/retry-lock-conflicts.js';
import type { CachedCheck } from '../cache/cached-check.js';
import type { CheckCacheRepository } from '../cache/check-cache.repository.js';
import { hashToBytes } from './pending-probes.repository.js';

/** Bounds how long rows stay locked. */
const MAX_STORED = 64;

/** Stores the checks of calls, those of the same moment in one statement. Storing one twice changes nothing. */
export class CallChecksRepository {
  private readonly batcher = new WriteBatcher<CachedCheck, boolean>({
    write: (checks) => this.storeAll(checks),
    maxSize: MAX_STORED,
    isolatesErrors: true,
  });

  constructor(
    private readonly dataSource: DataSource,
    private readonly cache: Pick<CheckCacheRepository, 'store'>,
  ) {}

  /** @returns whether a probe of its address is pending */
  store(check: CachedCheck): Promise<boolean> {
    return this.batcher.write(check);
  }

  private async storeAll(checks: readonly CachedCheck[]): Promise<boolean[]> {
    const hashes = checks.map(({ hash }) => hashToBytes(hash));
    const [active] = await Promise.all([
      askPool<{ address_hmac: Buffer }[]>(
        this.dataSource,
        'SELECT address_hmac FROM pending_probes WHERE address_hmac IN (?) AND active = 1',
        [hashes],
      ),
      retryLockConflicts(() => this.cache.store(checks)),
    ]);
    return hashes.map((hash) => active.some(({ address_hmac }) => address_hmac.equals(hash)));
  }
}
