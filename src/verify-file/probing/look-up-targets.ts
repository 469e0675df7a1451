import type { CheckFacts } from '../../engine/check.js';
import { settleByDns, type AfterDns } from '../../verify/bulk/settle-by-dns.js';
import type { RunningEngine } from '../../verify/engine/create-engine.js';
import type { SettlementRules } from './settlement.js';
import type { Target } from './target.js';

export interface LookUpParts {
  readonly engine: Pick<RunningEngine, 'mailHosts'>;
  readonly rules: SettlementRules;
  readonly stop: AbortSignal;
  readonly onFacts: OnFacts;
}

/**
 * Called with what was found out about an address, at once.
 * @param isFinal false: it was greylisted, and is asked about once more
 */
export type OnFacts = (target: Target, facts: CheckFacts, isFinal: boolean) => void;

/** Settles what lists and DNS can tell. @param concurrency of the lookups */
export function lookUpTargets(
  targets: readonly Target[],
  { engine, rules, stop, onFacts }: LookUpParts,
  concurrency: number,
): Promise<AfterDns<Target>> {
  return settleByDns(targets, {
    finder: engine.mailHosts,
    concurrency,
    stop,
    addressOf,
    settle: (target, mailHosts) => {
      const facts: CheckFacts = { mailHosts, probe: null };
      const isSettled = rules.sparesProbe(target.address, facts);
      if (isSettled) onFacts(target, facts, true);
      return isSettled;
    },
  });
}

export const addressOf = ({ address }: Target): Target['address'] => address;
