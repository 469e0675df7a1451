import { Injectable } from '@nestjs/common';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { Address } from '../../engine/address/address.js';
import type { Mode } from '../../engine/verdict/result.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { catchAllEvidence } from '../cache/catch-all-evidence.js';
import { EngineProvider } from '../engine/engine-provider.js';
import { DomainRecords } from '../lookup/domain-records.js';
import { judgeCached } from '../lookup/judge.js';
import type { VerifyResult } from '../verify.response.js';

/** How a probe ended for those who wait on it. */
export interface EndedProbe {
  readonly address: Address;
  readonly check: Pick<CachedCheck, 'facts' | 'checkedAt' | 'engineVersion'>;
}

/** Judges what a probe found as a call would that asks for it now. */
@Injectable()
export class EndedProbeJudge {
  constructor(
    private readonly engine: EngineProvider,
    private readonly catchAll: CatchAllRepository,
    private readonly records: DomainRecords,
  ) {}

  async judge({ address, check }: EndedProbe, mode: Exclude<Mode, 'quick'>): Promise<VerifyResult> {
    const { domain } = address;
    const [catchAlls, crawled] = await Promise.all([
      this.catchAll.findCatchAlls([domain]),
      this.records.lookUp([domain], null),
    ]);
    const known = { catchAll: isCatchAll(check, catchAlls.get(domain)), crawled: crawled.get(domain) ?? null };
    return judgeCached(check, { parsed: { ok: true, address }, mode }, this.engine.knowledge, known, 'fresh').result;
  }
}

/**
 * Whether the domain accepts everybody, by what this check found of it: the transaction that ends the probe has not shown
 * that to others yet.
 * @param since when it was last found to; undefined: it is not known to
 */
function isCatchAll({ facts, checkedAt }: EndedProbe['check'], since: Date | undefined): boolean {
  const evidence = catchAllEvidence(facts);
  if (evidence === null || (since !== undefined && since > checkedAt)) return since !== undefined;
  return evidence === 'catch_all';
}
