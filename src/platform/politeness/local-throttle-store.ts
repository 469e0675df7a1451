import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { decidePermit } from './decide-permit.js';
import type { PermitRequest, ThrottleStore, ThrottleAnswer, ThrottleKeys } from './throttle-store.js';
import { rateOf } from './limits.js';
import { RecentMap } from '../caching/recent-map.js';
import { afterOutcome, BACK_OFF, NO_REFUSALS, recall, type BackOffOptions, type Refusals } from './refusals.js';

export interface LocalThrottleStoreOptions extends Partial<BackOffOptions> {
  /** Most groups, and most domains, to remember. */
  readonly maxEntries?: number;
  /** Monotonic clock, milliseconds. */
  readonly now?: () => number;
}

/** The throttle state of one process, used while Redis is down. */
export class LocalThrottleStore implements ThrottleStore {
  private readonly leases: RecentMap<Map<number, number>>;
  private readonly paces: RecentMap<number>;
  private readonly refusals: RecentMap<Refusals>;
  private readonly backOff: BackOffOptions;
  private readonly now: () => number;
  private lastLease = 0;

  constructor({
    maxEntries = 10_000,
    now = () => Math.floor(performance.now()),
    ...backOff
  }: LocalThrottleStoreOptions = {}) {
    this.leases = new RecentMap(maxEntries);
    this.paces = new RecentMap(maxEntries);
    this.refusals = new RecentMap(maxEntries);
    this.backOff = { ...BACK_OFF, ...backOff };
    this.now = now;
  }

  acquire(request: PermitRequest): Promise<ThrottleAnswer> {
    const { keys, recipients, limits, leaseMs } = request;
    const maxConnections = leaseMs === null ? Number.POSITIVE_INFINITY : limits.maxConnections;
    const nowMs = this.now();
    const leases = this.leases.get(keys.connections) ?? new Map<number, number>();
    for (const [id, endMs] of leases) if (endMs <= nowMs) leases.delete(id);
    const rate = rateOf(limits.recipientsPerMinute);
    const decision = decidePermit(
      {
        leases: [...leases.values()],
        paceMs: this.paces.get(keys.rate) ?? 0,
        pausedUntilMs: Math.max(
          this.refusalsOf(keys.providerRefusals, nowMs).untilMs,
          this.refusalsOf(keys.domainRefusals, nowMs).untilMs,
        ),
      },
      { recipients, maxConnections, rate },
      nowMs,
    );
    if (decision.kind !== 'granted') return Promise.resolve(decision);
    this.paces.set(keys.rate, decision.paceMs);
    this.lastLease += 1;
    const lease = this.lastLease;
    if (leaseMs !== null) this.leases.set(keys.connections, leases.set(lease, nowMs + leaseMs));
    const release = (outcome: SessionsOutcome, further = 0): Promise<void> => {
      if (further > 0) this.paces.set(keys.rate, this.paceAfter(keys.rate) + further * rate.intervalMs);
      leases.delete(lease);
      if (leases.size === 0 && this.leases.get(keys.connections) === leases) this.leases.delete(keys.connections);
      this.record(keys, outcome);
      return Promise.resolve();
    };
    return Promise.resolve({ kind: 'granted', release });
  }

  /** Records the outcome of sessions, whichever store granted them. */
  record(keys: ThrottleKeys, outcome: SessionsOutcome): void {
    const nowMs = this.now();
    const before = {
      provider: this.refusalsOf(keys.providerRefusals, nowMs),
      domain: this.refusalsOf(keys.domainRefusals, nowMs),
    };
    const after = afterOutcome(before, outcome, this.backOff, nowMs);
    this.keep(keys.providerRefusals, after.provider);
    this.keep(keys.domainRefusals, after.domain);
  }

  /** The pace that another recipient adds to. */
  private paceAfter(key: string): number {
    return Math.max(this.paces.get(key) ?? 0, this.now());
  }

  private refusalsOf(key: string, nowMs: number): Refusals {
    return recall(this.refusals.get(key), nowMs);
  }

  private keep(key: string, refusals: Refusals): void {
    if (refusals === NO_REFUSALS) this.refusals.delete(key);
    else this.refusals.set(key, refusals);
  }
}
