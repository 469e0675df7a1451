import type { MailHostFinder } from '../../engine/dns/mail-host-finder.js';
import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { ChecksOnRecord, RecordTerms } from './checks-on-record.js';
import { isBackedOff } from '../../verify/bulk/backed-off.js';
import { settleByDns, type AfterDns } from '../../verify/bulk/settle-by-dns.js';
import { addressOf, type Known, type Settled, type OutcomeRules } from './outcome-rules.js';
import { domainCatchAll } from './judge-before-probe.js';
import type { Target } from './targets.js';

export interface BeforeProbeParts {
  readonly record: Pick<ChecksOnRecord, 'lookUp'>;
  readonly catchAll: Pick<CatchAllRepository, 'findCatchAlls'>;
  readonly finder: Pick<MailHostFinder, 'findMailHosts'>;
}

export interface BeforeProbeSetting extends RecordTerms {
  readonly rules: OutcomeRules;
  /** The account: where others ask the DNS too, they take turns. */
  readonly requester: string;
  /** Number of domains to look up at once. */
  readonly concurrency: number;
  readonly stop: AbortSignal;
  readonly onSettled: (settled: Settled) => void;
}

/** By domain: when it was found to be a catch-all. */
type CatchAlls = ReadonlyMap<string, Date>;

/** Addresses, or domains, per query; other work runs in between. */
const LOOKED_AT_ONCE = 500;
const QUERIES_AT_ONCE = 4;

/** Settles the addresses of a job that need no probe. */
export class BeforeProbe {
  constructor(
    private readonly parts: BeforeProbeParts,
    private readonly setting: BeforeProbeSetting,
  ) {}

  /** @returns addresses without a usable check on record, in order */
  async settleFromRecord(targets: readonly Target[]): Promise<Known[]> {
    const catchAlls = await this.catchAllsAmong(targets);
    const open: Known[] = [];
    for (let from = 0; from < targets.length && !this.setting.stop.aborted;) {
      const queries: Promise<Known[]>[] = [];
      for (; from < targets.length && queries.length < QUERIES_AT_ONCE; from += LOOKED_AT_ONCE) {
        queries.push(this.lookAtSome(targets.slice(from, from + LOOKED_AT_ONCE), catchAlls));
      }
      for (const some of await Promise.all(queries)) open.push(...some);
    }
    return open;
  }

  /** Asks about each domain once: a list may name it in every query of addresses. */
  private async catchAllsAmong(targets: readonly Target[]): Promise<CatchAlls> {
    const domains = [...new Set(targets.map(({ address }) => address.domain))];
    const found = new Map<string, Date>();
    for (let from = 0; from < domains.length && !this.setting.stop.aborted; from += LOOKED_AT_ONCE) {
      const some = await this.parts.catchAll.findCatchAlls(domains.slice(from, from + LOOKED_AT_ONCE));
      for (const [domain, since] of some) found.set(domain, since);
    }
    return found;
  }

  private async lookAtSome(targets: readonly Target[], catchAlls: CatchAlls): Promise<Known[]> {
    const { arrivedAt, rules, onSettled } = this.setting;
    const found = await this.parts.record.lookUp(targets, this.setting);
    const open: Known[] = [];
    for (const [i, target] of targets.entries()) {
      const { check, stale } = found[i]!;
      const known = { target, domain: domainCatchAll(catchAlls.get(target.address.domain), arrivedAt), stale };
      if (check === null || isBackedOff(check.facts.probe)) open.push(known);
      else onSettled(rules.byRecord(known, check));
    }
    return open;
  }

  settleByDns(open: readonly Known[]): Promise<AfterDns<Known>> {
    const { requester, concurrency, stop, rules, onSettled } = this.setting;
    return settleByDns(open, {
      finder: this.parts.finder,
      requester,
      concurrency,
      stop,
      addressOf,
      settle: (known, mailHosts) => {
        const settled = rules.byDns(known, mailHosts);
        if (settled !== null) onSettled(settled);
        return settled !== null;
      },
    });
  }
}
