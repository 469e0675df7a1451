import { limitsOf, type Limits } from '../src/platform/politeness/limits.js';
import type { Internet } from './internet.js';
import type { Counts, Service } from './simulation.js';
import { simulatedHost } from './world.js';

/** A limit, and how much of it was used. */
export interface LimitUse {
  readonly what: string;
  readonly kind: 'processors' | 'places' | 'provider';
  readonly used: number;
}

/** A limit that is used so far is the bottleneck. */
const USED_UP = 0.85;

/** What was used of each limit between two moments, the most used first. */
export function limitsUsed(before: Counts | null, counts: Counts, service: Service, internet: Internet): LimitUse[] {
  const { workers, coresPerWorker, concurrency, egress } = service;
  const ms = counts.nowMs - (before?.nowMs ?? 0);
  const processorMs = counts.processorMs - (before?.processorMs ?? 0);
  const placesMs = counts.placesMs - (before?.placesMs ?? 0);
  const uses: LimitUse[] = [
    { what: 'processors of workers', kind: 'processors', used: processorMs / ms / (workers * coresPerWorker) },
    { what: 'places in workers', kind: 'places', used: placesMs / ms / (workers * concurrency) },
  ];
  for (const [group, { name, limits }] of providersOf(internet, service.limits)) {
    const { recipientsPerMinute } = limits;
    const granted = (counts.granted.get(group) ?? 0) - (before?.granted.get(group) ?? 0);
    const what = `the limit of ${name}, ${recipientsPerMinute} recipients a minute from a way out`;
    uses.push({ what, kind: 'provider', used: granted / ((ms / 60_000) * recipientsPerMinute * egress) });
  }
  return uses.sort((one, other) => other.used - one.used);
}

export function bottleneckOf([most]: readonly LimitUse[]): string {
  const isUsedUp = most !== undefined && most.used >= USED_UP;
  return isUsedUp ? most.what : 'jobs at once, of which each asks a provider with four chunks';
}

/** How much is used of the provider's limit that is used most. */
export function providerUse(uses: readonly LimitUse[]): number {
  return uses.find(({ kind }) => kind === 'provider')?.used ?? 0;
}

function providersOf({ classes }: Internet, others: Limits): Map<string, { name: string; limits: Limits }> {
  const providers = new Map<string, { name: string; limits: Limits }>();
  for (const { host } of classes) {
    if (host === null) continue;
    const { group, provider } = simulatedHost(host, { roundTripMs: 0 });
    providers.set(group, { name: provider?.name ?? host, limits: limitsOf(provider, others) });
  }
  return providers;
}
