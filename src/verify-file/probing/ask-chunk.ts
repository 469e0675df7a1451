import type { CheckFacts } from '../../engine/check.js';
import type { FirstBatches } from '../../engine/smtp/bulk/first-batches.js';
import { askMailHosts } from '../../verify/bulk/ask-mail-hosts.js';
import type { LaterProbe } from '../../verify/bulk/retry-decision.js';
import type { RunningEngine } from '../../verify/engine/create-engine.js';
import { addressOf, lookUpTargets, type LookUpParts } from './look-up-targets.js';
import type { Chunk, Target } from './target.js';

export interface AskChunkParts extends LookUpParts {
  readonly engine: Pick<RunningEngine, 'mailHosts' | 'bulk'>;
  /** Ask about a random recipient of each domain too (enhanced). */
  readonly randomRecipient: boolean;
  /** Time for one address, milliseconds; a chunk with several gets more. */
  readonly deadlineMs: number;
  /** What is known of the list. */
  readonly list: FirstBatches;
}

/** What is left of a chunk when it was asked about. */
export interface ChunkEnd {
  readonly settled: number;
  readonly retries: readonly LaterProbe<Target>[];
  readonly paused: readonly Target[];
  /** Left open because of our own limits for their mail hosts. */
  readonly busy: readonly Target[];
  /** Left open because of our own failure. */
  readonly failed: readonly Target[];
  /** The last failure. */
  readonly why: string;
}

const DOMAINS_AT_ONCE = 10;
/** Pauses of a minute: who refuses us for an hour is asked no more. */
const MOST_PAUSES = 60;

/** Asks about the addresses of one chunk: DNS, then mail hosts. Never rejects because of a name server or mail host. */
export async function askChunk(parts: AskChunkParts, { targets, attempt, egress }: Chunk): Promise<ChunkEnd> {
  const { engine, rules, randomRecipient, deadlineMs, stop, onFacts, list } = parts;
  const { toAsk, unresolved, why: fault } = await lookUpTargets(targets, parts, DOMAINS_AT_ONCE);
  const open = new Set([...unresolved.values(), ...toAsk.map((domain) => domain.targets)].flat());
  const retries: LaterProbe<Target>[] = [];
  const [paused, busy]: [Target[], Target[]] = [[], []];
  let why = fault ?? 'time was short';
  await askMailHosts(toAsk, {
    bulk: engine.bulk,
    deadlineMs,
    stop,
    addressOf,
    egress,
    asksRandom: () => randomRecipient,
    list,
    onOutcome: (target, mailHosts, outcome) => {
      // What a stop cut short is no answer.
      if (stop.aborted) return;
      if (outcome.kind === 'unavailable' && outcome.busy !== true) {
        why = outcome.why;
        return;
      }
      open.delete(target);
      if (outcome.kind === 'unavailable') {
        busy.push(target);
        return;
      }
      const facts: CheckFacts = { mailHosts, probe: outcome.facts };
      const settlement = rules.byProbe(facts, attempt);
      if (settlement.kind === 'paused' && target.pauses < MOST_PAUSES) {
        paused.push({ ...target, pauses: target.pauses + 1 });
        return;
      }
      onFacts(target, facts, settlement.kind !== 'retry');
      if (settlement.kind === 'retry') retries.push({ target, ...settlement });
    },
  });
  const failed = [...open];
  const settled = targets.length - retries.length - paused.length - busy.length - failed.length;
  return { settled, retries, paused, busy, failed, why };
}
