import { setImmediate as nextTurn } from 'node:timers/promises';
import { mailHostFacts } from '../../engine/engine.js';
import type { CheckFacts } from '../../engine/check.js';
import type { Knowledge } from '../../engine/assess.js';
import { mailHostGroup } from '../../engine/smtp/mail-host-group.js';
import { lookUpDomains } from '../../verify/bulk/look-up-domains.js';
import { planChunks, type DomainWork } from '../../verify/bulk/plan-chunks.js';
import type { RunningEngine } from '../../verify/engine/create-engine.js';
import type { OnFacts } from './chunk-run.js';
import type { SettlementRules } from './settlement.js';
import { groupByDomain, type Chunk, type Target } from './target.js';

export interface PlanParts {
  readonly engine: Pick<RunningEngine, 'mailHosts'>;
  readonly findProvider: Knowledge['findProvider'];
  readonly rules: SettlementRules;
  readonly keepDomains: boolean;
  /** Chunks asked at once. */
  readonly atOnce: number;
  readonly stop: AbortSignal;
  readonly onFacts: OnFacts;
}

/** Addresses planned together. */
const WINDOW = 10_000;
const DOMAINS_AT_ONCE = 50;
/** Addresses read without a break. */
const SLICE = 500;
/** Domains that our resolver could not look up; their chunk looks them up again. */
const UNRESOLVED = 'unresolved';

/**
 * Settles what lists and DNS can tell, and divides the rest into chunks by mail host, some thousand addresses at a time:
 * a list of any length needs the memory of a few such windows.
 */
export async function* planInWindows(targets: Iterable<Target>, parts: PlanParts): AsyncGenerator<readonly Chunk[]> {
  let window: Target[] = [];
  for (const target of targets) {
    window.push(target);
    if (window.length % SLICE === 0) await nextTurn();
    if (window.length < WINDOW) continue;
    yield await plan(window, parts);
    window = [];
  }
  if (window.length > 0) yield await plan(window, parts);
}

async function plan(targets: readonly Target[], parts: PlanParts): Promise<readonly Chunk[]> {
  const { engine, findProvider, rules, keepDomains, atOnce, stop, onFacts } = parts;
  const byDomain = groupByDomain(targets);
  const work: DomainWork<Target>[] = [];
  await lookUpDomains([...byDomain.keys()], {
    finder: engine.mailHosts,
    concurrency: DOMAINS_AT_ONCE,
    stop,
    onFound: (domain, finding) => {
      if (finding.kind === 'unavailable' || stop.aborted) return;
      const own = byDomain.get(domain)!;
      byDomain.delete(domain);
      const facts: CheckFacts = { mailHosts: mailHostFacts(finding), probe: null };
      const open: Target[] = [];
      for (const target of own) {
        if (rules.sparesProbe(target.address, facts)) onFacts(target, facts, true);
        else open.push(target);
      }
      if (finding.kind !== 'found' || open.length === 0) return;
      const { name } = finding.hosts[0]!;
      work.push({ domain, group: mailHostGroup(name, findProvider(name)), targets: open });
    },
  });
  for (const [domain, open] of byDomain) work.push({ domain, group: UNRESOLVED, targets: open });
  return planChunks(work, { keepDomains, atOnce }).map(({ group, targets: some }) => ({
    group,
    targets: some,
    attempt: 'first',
    egress: null,
    failures: 0,
  }));
}
