import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Knowledge } from '../../engine/assess.js';
import { planChunks } from '../../verify/bulk/plan-chunks.js';
import { workAfterDns } from '../../verify/bulk/settle-by-dns.js';
import { lookUpTargets, type LookUpParts } from './look-up-targets.js';
import type { Chunk, Target } from './target.js';

export interface PlanParts extends LookUpParts {
  readonly findProvider: Knowledge['findProvider'];
  readonly keepDomains: boolean;
  /** Chunks asked at once. */
  readonly atOnce: number;
}

/** Addresses planned together. */
const WINDOW = 10_000;
const DOMAINS_AT_ONCE = 50;
/** Addresses read without a break. */
const SLICE = 500;

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
  const work = workAfterDns(await lookUpTargets(targets, parts, DOMAINS_AT_ONCE), parts.findProvider);
  return planChunks(work, parts).map(({ group, targets: some }) => ({
    group,
    targets: some,
    attempt: 'first',
    egress: null,
    failures: 0,
  }));
}
