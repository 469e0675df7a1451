import type { Metric, Registry } from 'prom-client';

/** One line of the text format. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The children whose labels begin alike. */
interface Branch<C> {
  readonly next: Map<string | number, Branch<C>>;
  child?: C;
}

/** A value for each label name, in their order. */
type Values<N extends readonly string[]> = { readonly [I in keyof N]: string | number };

/**
 * A metric for the path of every request, that counts in a child for each set of labels. The metrics of prom-client
 * build and hash their labels at every call, bound or not.
 */
abstract class BoundMetric<N extends readonly string[], C> {
  private readonly root: Branch<C> = { next: new Map() };
  private readonly children: { readonly labels: Sample['labels']; readonly child: C }[] = [];

  protected constructor(
    registry: Registry,
    readonly type: 'counter' | 'histogram',
    name: string,
    help: string,
    private readonly labelNames: N,
    private readonly make: () => C,
  ) {
    const aggregator = 'sum';
    const get = async (): Promise<object> => ({ name, help, type, aggregator, values: this.samples(name) });
    // The part of a metric that the registry uses.
    registry.registerMetric({ name, help, type, labelNames, get } as unknown as Metric);
  }

  child(...values: Values<N>): C {
    let branch = this.root;
    for (const value of values) {
      let next = branch.next.get(value);
      if (next === undefined) branch.next.set(value, (next = { next: new Map() }));
      branch = next;
    }
    return (branch.child ??= this.add(values));
  }

  private add(values: Values<N>): C {
    const child = this.make();
    this.children.push({ labels: Object.fromEntries(this.labelNames.map((name, i) => [name, values[i]!])), child });
    return child;
  }

  protected abstract samplesOf(name: string, labels: Sample['labels'], child: C): Sample[];

  private samples(name: string): Sample[] {
    return this.children.flatMap(({ labels, child }) => this.samplesOf(name, labels, child));
  }
}

interface Tally {
  value: number;
}

export class BoundCounter<const N extends readonly string[]> extends BoundMetric<N, Tally> {
  constructor(registry: Registry, name: string, help: string, labelNames: N) {
    super(registry, 'counter', name, help, labelNames, () => ({ value: 0 }));
  }

  protected override samplesOf(_name: string, labels: Sample['labels'], { value }: Tally): Sample[] {
    return [{ labels, value }];
  }
}

/** Observations with one set of labels. */
class Spread {
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

export class BoundHistogram<const N extends readonly string[]> extends BoundMetric<N, Spread> {
  constructor(
    registry: Registry,
    name: string,
    help: string,
    labelNames: N,
    private readonly bounds: readonly number[],
  ) {
    super(registry, 'histogram', name, help, labelNames, () => new Spread(bounds));
  }

  protected override samplesOf(name: string, labels: Sample['labels'], { counts, sum }: Spread): Sample[] {
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
