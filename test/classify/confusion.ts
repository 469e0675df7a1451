/** Counts of what was expected against what came out, and the score made of them. */
export class Confusion {
  private readonly counts = new Map<string, Map<string, number>>();

  constructor(private readonly labels: readonly string[]) {}

  add(expected: string, got: string): void {
    const row = this.counts.get(expected) ?? new Map<string, number>();
    row.set(got, (row.get(got) ?? 0) + 1);
    this.counts.set(expected, row);
  }

  count(expected: string, got: string): number {
    return this.counts.get(expected)?.get(got) ?? 0;
  }

  /** Mean of the F1 scores of the labels that occur. */
  macroF1(): number {
    const scores = this.labels.filter((label) => this.counts.has(label)).map((label) => this.f1(label));
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  }

  private f1(label: string): number {
    const hits = this.count(label, label);
    const expected = [...(this.counts.get(label) ?? new Map<string, number>()).values()].reduce((a, b) => a + b, 0);
    const got = [...this.counts.keys()].reduce((sum, row) => sum + this.count(row, label), 0);
    return hits === 0 ? 0 : (2 * hits) / (expected + got);
  }

  /** The matrix as lines of text: a row for what was expected, a column for what came out. */
  toString(): string {
    const columns = [...this.labels, 'null'];
    const heading = ['expected \\ got'.padEnd(18), ...columns.map((label) => label.slice(-9).padStart(10))].join('');
    const rows = this.labels.map((label) =>
      [label.padEnd(18), ...columns.map((column) => String(this.count(label, column)).padStart(10))].join(''),
    );
    return [heading, ...rows].join('\n');
  }
}
