import type { Check } from '../../engine/check.js';
import type { Address } from '../../engine/address/address.js';
import { toCachedCheck } from '../cache/to-cached-check.js';
import type { CheckCacheRepository } from '../cache/check-cache.repository.js';

export interface SettledByDns {
  readonly address: Address;
  readonly hash: string;
  readonly check: Check;
}

/** Keeps what the DNS settled by itself, such as a domain without a mail host. Probes are kept by the recorder of checks. */
export class DnsFactsKeeper {
  constructor(
    private readonly cache: Pick<CheckCacheRepository, 'store'>,
    private readonly onTrouble: (what: string, error: unknown) => void,
  ) {}

  /** In one query. Never rejects: the result can be delivered all the same. */
  async keep(settled: readonly SettledByDns[]): Promise<void> {
    const rows = settled.flatMap(({ address, hash, check }) => toCachedCheck(address, hash, check) ?? []);
    if (rows.length === 0) return;
    try {
      await this.cache.store(rows);
    } catch (error) {
      this.onTrouble('what the DNS said could not be kept', error);
    }
  }
}
