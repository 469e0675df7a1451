import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { RELEASE_PERMIT, ACQUIRE_PERMIT } from './throttle-scripts.js';
import type { PermitRequest, ThrottleStore, ThrottleAnswer, ThrottleKeys } from './throttle-store.js';
import { rateOf } from './limits.js';
import { BACK_OFF, type BackOffOptions } from './refusals.js';
import { LONGEST_POLL_MS } from './permit-queue.js';
import { Pauses } from './pauses.js';

export interface RedisThrottleStoreOptions extends Partial<BackOffOptions> {
  /** For tests; defaults to the Redis clock, which all processes share. */
  readonly now?: () => number;
}

const NO_LEASE = '';
/** How late a waiting process may ask again before it loses its turn. */
const LATE_MS = 200;
/** Largest patience sent to Redis. */
const LONGEST_PATIENCE_MS = 86_400_000;
/** More than a process has connections. In an outage the first ones are those that Redis had granted. */
const MOST_UNCONFIRMED = 1000;

type Argument = string | number;
interface Scripts {
  mailvetAcquirePermit(
    ...given: Argument[]
  ): Promise<[kind: 'granted' | 'backed_off' | 'rate' | 'connections' | 'turn', waitMs: number]>;
  mailvetReleasePermit(...given: Argument[]): Promise<[providerPausedUntil: number, domainPausedUntil: number]>;
}

/**
 * The throttle state of all processes, in Redis: one round trip per request and one per release. Rejects while Redis
 * does not answer.
 */
export class RedisThrottleStore implements ThrottleStore {
  private readonly redis: Redis & Scripts;
  private readonly backOff: BackOffOptions;
  private readonly pauses: Pauses;
  private readonly now: () => Argument;
  private readonly process = randomUUID();
  private lastLease = 0;
  /**
   * Leases, and the keys that count them, that Redis may hold although nobody uses them: it failed when they began or
   * ended. They would keep connections from everybody until they expire.
   */
  private readonly unconfirmed = new Map<string, string>();

  constructor(redis: Redis, { now, ...backOff }: RedisThrottleStoreOptions = {}) {
    redis.defineCommand('mailvetAcquirePermit', { lua: ACQUIRE_PERMIT, numberOfKeys: 6 });
    redis.defineCommand('mailvetReleasePermit', { lua: RELEASE_PERMIT, numberOfKeys: 4 });
    this.redis = redis as Redis & Scripts;
    this.pauses = new Pauses(redis);
    this.backOff = { ...BACK_OFF, ...backOff };
    this.now = now ?? ((): string => '');
  }

  async acquire({
    keys,
    recipients,
    limits,
    leaseMs,
    requester = '',
    patienceMs = 0,
  }: PermitRequest): Promise<ThrottleAnswer> {
    const lease = leaseMs === null ? NO_LEASE : this.newLease();
    const { intervalMs, burstMs } = rateOf(limits.recipientsPerMinute);
    const asked = this.redis.mailvetAcquirePermit(
      keys.connections,
      keys.rate,
      keys.providerRefusals,
      keys.domainRefusals,
      keys.shares,
      keys.waiting,
      this.now(),
      lease,
      Math.ceil(leaseMs ?? 0),
      limits.maxConnections,
      recipients,
      intervalMs,
      burstMs,
      requester,
      Math.ceil(Math.min(patienceMs, LONGEST_PATIENCE_MS)),
      LONGEST_POLL_MS,
      LATE_MS,
    );
    const [kind, waitMs] = await this.confirmed(asked, lease, keys);
    if (this.unconfirmed.size > 0) this.endUnconfirmed();
    if (kind === 'granted') {
      return { kind, release: (outcome, further = 0) => this.release(keys, lease, outcome, further * intervalMs) };
    }
    if (kind === 'backed_off') return { kind };
    return { kind: 'wait', for: kind, waitMs };
  }

  private newLease(): string {
    this.lastLease += 1;
    return `${this.process}:${this.lastLease}`;
  }

  private async release(keys: ThrottleKeys, lease: string, outcome: SessionsOutcome, furtherMs: number): Promise<void> {
    // There is neither a lease to end nor a refusal or recipient to count.
    if (lease === NO_LEASE && outcome.kind === 'no_answer' && furtherMs === 0) return;
    const { providerStrikes, firstPauseMs } = this.backOff;
    const released = this.redis.mailvetReleasePermit(
      keys.connections,
      keys.providerRefusals,
      keys.domainRefusals,
      keys.rate,
      this.now(),
      lease,
      outcome.kind,
      Math.ceil((outcome.retryAfterSeconds ?? 0) * 1000),
      Number.isFinite(providerStrikes) ? providerStrikes : Number.MAX_SAFE_INTEGER,
      BACK_OFF.domainStrikes,
      firstPauseMs,
      BACK_OFF.longestPauseMs,
      BACK_OFF.memoryMs,
      furtherMs,
    );
    const [providerUntil, domainUntil] = await this.confirmed(released, lease, keys);
    if (providerUntil > 0) await this.note(keys.providerRefusals, providerUntil);
    if (domainUntil > 0) await this.note(keys.domainRefusals, domainUntil);
  }

  private async confirmed<T>(asked: Promise<T>, lease: string, { connections }: ThrottleKeys): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      this.keepUnconfirmed(lease, connections);
      throw error;
    }
  }

  private keepUnconfirmed(lease: string, connections: string): void {
    if (lease !== NO_LEASE && this.unconfirmed.size < MOST_UNCONFIRMED) this.unconfirmed.set(lease, connections);
  }

  /** Now that Redis answers. */
  private endUnconfirmed(): void {
    const leases = [...this.unconfirmed];
    this.unconfirmed.clear();
    for (const [lease, connections] of leases) {
      this.redis.zrem(connections, lease).catch(() => this.keepUnconfirmed(lease, connections));
    }
  }

  /** The pause holds without it: nobody sees it, that is all. */
  private async note(key: string, until: number): Promise<void> {
    await this.pauses.note(key, until).catch(() => undefined);
  }
}
