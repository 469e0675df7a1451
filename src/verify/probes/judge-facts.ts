import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { Knowledge } from '../../engine/assess.js';
import type { DomainRecords } from '../lookup/domain-records.js';
import { judgeCached } from '../lookup/judge.js';
import type { JudgeFacts } from './verification-events.repository.js';

export interface JudgeFactsParts {
  readonly knowledge: Knowledge;
  readonly catchAll: Pick<CatchAllRepository, 'findCatchAlls'>;
  readonly records: Pick<DomainRecords, 'lookUp'>;
}

/** Judges facts as a call would that asks for them now. */
export function judgeFacts({ knowledge, catchAll, records }: JudgeFactsParts): JudgeFacts {
  return async (address, check, mode) => {
    const { domain } = address;
    const [catchAlls, crawled] = await Promise.all([catchAll.findCatchAlls([domain]), records.lookUp([domain], null)]);
    const known = { catchAll: catchAlls.has(domain), crawled: crawled.get(domain) ?? null };
    return judgeCached(check, { parsed: { ok: true, address }, mode }, knowledge, known, 'fresh').result;
  };
}
