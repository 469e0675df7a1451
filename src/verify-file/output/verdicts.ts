import { RESULTS, type Result } from '../../engine/verdict/result.js';
import type { VerdictCells } from './verdict-cells.js';

/** The verdict of each entry of a list. */
export class Verdicts {
  private readonly verdicts: (VerdictCells | null)[];
  /** Nearly all are one of a few. */
  private readonly shared = new Map<string, VerdictCells>();
  private readonly tally = new Map<Result, number>(RESULTS.map((result) => [result, 0]));
  private count = 0;

  constructor(readonly total: number) {
    this.verdicts = Array.from({ length: total }, () => null);
  }

  /** Entries that have a verdict. */
  get done(): number {
    return this.count;
  }

  /** Number of entries by result. */
  get counts(): Readonly<Record<Result, number>> {
    return Object.fromEntries(this.tally) as Record<Result, number>;
  }

  has(entry: number): boolean {
    return this.verdicts[entry] !== null;
  }

  of(entry: number): VerdictCells | null {
    return this.verdicts[entry] ?? null;
  }

  set(entry: number, verdict: VerdictCells): void {
    if (this.has(entry)) return;
    const key = verdict.cells.join('\u0000');
    const shared = this.shared.get(key) ?? verdict;
    this.shared.set(key, shared);
    this.verdicts[entry] = shared;
    this.tally.set(verdict.result, this.tally.get(verdict.result)! + 1);
    this.count += 1;
  }
}
