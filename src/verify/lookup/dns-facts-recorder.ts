import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Check } from '../../engine/check.js';
import type { Address } from '../../engine/address/address.js';
import { toCachedCheck } from '../cache/to-cached-check.js';
import { CheckCacheRepository } from '../cache/check-cache.repository.js';

export interface SettledByDns {
  readonly address: Address;
  readonly hash: string;
  readonly check: Check;
}

/** Stores results that DNS alone settled, such as a domain without a mail host. `CheckRecorder` stores probes. */
@Injectable()
export class DnsFactsRecorder {
  private readonly logger = new Logger('Verify');

  constructor(@Inject(CheckCacheRepository) private readonly cache: Pick<CheckCacheRepository, 'store'>) {}

  /** In one query. Never rejects: the result is delivered even if it was not stored. */
  async record(settled: readonly SettledByDns[]): Promise<void> {
    const rows = settled.flatMap(({ address, hash, check }) => toCachedCheck(address, hash, check) ?? []);
    if (rows.length === 0) return;
    try {
      await this.cache.store(rows);
    } catch (err) {
      this.logger.error({ err }, 'DNS facts could not be recorded');
    }
  }
}
