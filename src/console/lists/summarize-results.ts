import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { RECOMMENDATIONS, RESULTS, type Recommendation, type Result } from '../../engine/verdict/result.js';
import { zeros } from '../../platform/collections/zeros.js';
import type { EntryError } from '../../verify/verify-batch.response.js';
import type { VerifyResult } from '../../verify/verify.response.js';

type Counts<K extends string = string> = Record<K, number>;

/** What the results of a part come to. */
export interface PartSummary {
  readonly verdicts: Readonly<Counts<Result>>;
  readonly reasons: Readonly<Counts>;
  readonly providers: Readonly<Counts>;
  readonly decisions: Readonly<Counts<Recommendation>>;
  /** Entries without a verdict, by their error. */
  readonly errors: Readonly<Counts>;
  readonly deliverable: number;
  readonly total: number;
}

/** Domains whose mail host is of no known provider. */
const OTHER_PROVIDER = 'other';

export class ResultTally {
  private readonly verdicts = zeros(RESULTS);
  private readonly decisions = zeros(RECOMMENDATIONS);
  private readonly reasons: Counts = {};
  private readonly providers: Counts = {};
  private readonly errors: Counts = {};
  private deliverable = 0;
  private total = 0;

  add(entry: VerifyResult | EntryError): void {
    this.total++;
    if ('error' in entry) {
      count(this.errors, entry.error);
      return;
    }
    this.verdicts[entry.result]++;
    this.decisions[entry.decision.recommendation]++;
    if (entry.reason !== null) count(this.reasons, entry.reason);
    if (entry.mx_record !== null) count(this.providers, findProvider(entry.mx_record)?.id ?? OTHER_PROVIDER);
    if (entry.deliverable === true) this.deliverable++;
  }

  get summary(): PartSummary {
    const { verdicts, reasons, providers, decisions, errors, deliverable, total } = this;
    return { verdicts, reasons, providers, decisions, errors, deliverable, total };
  }
}

/** The summary of a list from those of its parts. */
export function addSummaries(parts: readonly PartSummary[]): PartSummary {
  const sum = (pick: (part: PartSummary) => number): number => parts.reduce((all, part) => all + pick(part), 0);
  const merge = (pick: (part: PartSummary) => Readonly<Counts>): Counts => {
    const all: Counts = {};
    for (const part of parts) for (const [name, n] of Object.entries(pick(part))) all[name] = (all[name] ?? 0) + n;
    return all;
  };
  return {
    verdicts: { ...zeros(RESULTS), ...merge(({ verdicts }) => verdicts) },
    reasons: merge(({ reasons }) => reasons),
    providers: merge(({ providers }) => providers),
    decisions: { ...zeros(RECOMMENDATIONS), ...merge(({ decisions }) => decisions) },
    errors: merge(({ errors }) => errors),
    deliverable: sum(({ deliverable }) => deliverable),
    total: sum(({ total }) => total),
  };
}

function count(counts: Counts, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
