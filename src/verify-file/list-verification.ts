import type { CheckFacts } from '../engine/check.js';
import { assess } from '../engine/assess.js';
import { parseAddress } from '../engine/address/parse-address.js';
import type { Mode } from '../engine/verdict/result.js';
import type { RunningEngine } from '../verify/engine/create-engine.js';
import type { ListFile } from './input/list-file.js';
import type { Journal, JournalLine } from './journal.js';
import { NO_VERDICT, verdictCells, type VerdictCells } from './output/verdict-cells.js';
import { Verdicts } from './output/verdicts.js';
import { ListCheck, type ListCheckEnd } from './probing/list-check.js';
import { SettlementRules } from './probing/settlement.js';
import type { LaterProbe } from '../verify/bulk/retry-decision.js';
import type { Target } from './probing/target.js';
import type { Progress } from './progress/progress.js';

export interface ListVerificationTerms {
  readonly mode: Mode;
  readonly concurrency: number;
  /** Time for one address, milliseconds. */
  readonly deadlineMs: number;
  readonly greylistRetryMs: number;
}

/** The verdicts of a list: what a journal has, what needs no question, and what mail hosts answer. */
export class ListVerification {
  private readonly verdicts: Verdicts;
  private readonly rules: SettlementRules;
  /** First answers about greylisted addresses. */
  private readonly greylisted = new Map<number, JournalLine>();
  private check: ListCheck | null = null;
  /** Addresses that our own failure left without a verdict, and the last failure. */
  private failedCount = 0;
  private lastFailure: string | null = null;

  constructor(
    private readonly list: ListFile,
    private readonly running: RunningEngine,
    private readonly terms: ListVerificationTerms,
  ) {
    this.verdicts = new Verdicts(list.entries.length);
    this.rules = new SettlementRules({ ...terms, knowledge: running.knowledge });
  }

  get progress(): Progress {
    const { done, total, counts } = this.verdicts;
    return { done, total, waiting: this.check?.addressesWaiting ?? 0, counts };
  }

  get failures(): { readonly failed: number; readonly why: string | null } {
    return { failed: this.failedCount, why: this.lastFailure };
  }

  readonly verdictOf = (entry: number): VerdictCells => this.verdicts.of(entry) ?? NO_VERDICT;

  /** Takes over what an earlier run has found out. */
  recall(line: JournalLine): void {
    const entry = this.list.entryOfRow[line.row - 1] ?? -1;
    if (entry < 0) return;
    const attempt = this.greylisted.has(entry) ? 'retry' : 'first';
    const isRetried = this.rules.byProbe(line.facts, attempt).kind === 'retry';
    if (isRetried) this.greylisted.set(entry, line);
    else this.settle(entry, line.facts, line.checkedAt);
  }

  /** @param journal null: nothing is noted */
  async run(journal: Journal | null, stop: AbortSignal): Promise<ListCheckEnd> {
    const { running, terms, rules } = this;
    const { mode, concurrency, deadlineMs } = terms;
    this.check = new ListCheck(
      {
        engine: running,
        findProvider: running.knowledge.findProvider,
        rules,
        randomRecipient: mode === 'enhanced',
        atOnce: concurrency,
        deadlineMs,
        stop,
        onFacts: (target, facts, isFinal) => {
          const checkedAt = new Date();
          journal?.note({ row: this.list.rowOfEntry[target.entry]! + 1, checkedAt, facts });
          if (isFinal) this.settle(target.entry, facts, checkedAt);
        },
        onGivenUp: (targets, why) => {
          for (const { entry } of targets) this.verdicts.set(entry, NO_VERDICT);
          this.failedCount += targets.length;
          this.lastFailure = why;
        },
      },
      this.targets(),
      this.knownRetries(),
    );
    return this.check.run();
  }

  private *targets(): Generator<Target> {
    for (const [entry, written] of this.list.entries.entries()) {
      if (this.verdicts.has(entry) || this.greylisted.has(entry)) continue;
      const parsed = parseAddress(written);
      if (parsed.ok) yield { entry, address: parsed.address, pauses: 0 };
      else this.settle(entry, { mailHosts: null, probe: null }, new Date());
    }
  }

  private knownRetries(): LaterProbe<Target>[] {
    return [...this.greylisted].flatMap(([entry, { facts, checkedAt }]) => {
      const parsed = parseAddress(this.list.entries[entry]!);
      const settlement = this.rules.byProbe(facts, 'first');
      if (this.verdicts.has(entry) || !parsed.ok || settlement.kind !== 'retry') return [];
      const afterMs = Math.max(0, settlement.afterMs - Math.max(0, Date.now() - checkedAt.getTime()));
      return [{ target: { entry, address: parsed.address, pauses: 0 }, afterMs, egress: settlement.egress }];
    });
  }

  private settle(entry: number, facts: CheckFacts, checkedAt: Date): void {
    const { knowledge } = this.running;
    const parsed = parseAddress(this.list.entries[entry]!);
    const assessment = assess({ parsed, mode: this.terms.mode, deferred: false, facts, checkedAt }, knowledge);
    this.verdicts.set(entry, verdictCells(assessment, knowledge.findProvider));
  }
}
