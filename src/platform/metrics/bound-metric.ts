import type { Metric, Registry } from 'prom-client';

/** Label values by name. Few values, and never an address, a domain, a key or an account. */
export type Labels<L extends string> = Readonly<Record<L, string | number>>;

export interface Description<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly L[];
}

/** One line of the text format. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A metric for the path of every request: callers hold a child that is created once, so that counting is an addition.
 * The metrics of prom-client build and hash their labels at every call, bound or not.
 */
abstract class BoundMetric<L extends string, C> {
  private readonly children = new Map<string, { readonly labels: Labels<L>; readonly child: C }>();

  protected constructor(
    registry: Registry,
    readonly type: 'counter' | 'histogram',
    { name, help, labelNames }: Description<L>,
    private readonly make: () => C,
  ) {
    const aggregator = 'sum';
    const get = async (): Promise<object> => ({ name, help, type, aggregator, values: this.samples(name) });
    // The part of a metric that the registry uses.
    registry.registerMetric({ name, help, type, labelNames, get } as unknown as Metric);
  }

  /** Returns the same child for the same labels. Callers keep it. */
  child(labels: Labels<L>): C {
    const id = JSON.stringify(Object.values(labels));
    let known = this.children.get(id);
    if (known === undefined) {
      known = { labels, child: this.make() };
      this.children.set(id, known);
    }
    return known.child;
  }

  protected abstract samplesOf(name: string, labels: Labels<L>, child: C): Sample[];

  private samples(name: string): Sample[] {
    return [...this.children.values()].flatMap(({ labels, child }) => this.samplesOf(name, labels, child));
  }
}

export interface Tally {
  value: number;
}

export class BoundCounter<L extends string> extends BoundMetric<L, Tally> {
  constructor(registry: Registry, description: Description<L>) {
    super(registry, 'counter', description, () => ({ value: 0 }));
  }

  protected override samplesOf(_name: string, labels: Labels<L>, { value }: Tally): Sample[] {
    return [{ labels, value }];
  }
}

/** Observations with one set of labels. */
export class Spread {
  readonly counts: number[];
  sum = 0;

  /** @param bounds upper bounds of the buckets, ascending */
  constructor(private readonly bounds: readonly number[]) {
    // The last bucket has no bound.
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    counts[bucket]!++;
    this.sum += value;
  }
}

export class BoundHistogram<L extends string> extends BoundMetric<L, Spread> {
  constructor(
    registry: Registry,
    description: Description<L>,
    private readonly bounds: readonly number[],
  ) {
    super(registry, 'histogram', description, () => new Spread(bounds));
  }

  protected override samplesOf(name: string, labels: Labels<L>, { counts, sum }: Spread): Sample[] {
    let total = 0;
    const buckets = counts.map((count, bucket) => {
      total += count;
      const le = this.bounds[bucket] ?? '+Inf';
      return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
