import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import {
  MANY_UNPROVEN,
  type AcceptedAt,
  type AcceptedRecipients,
  type RememberedAcceptance,
} from '../../engine/smtp/accepted-recipients.js';
import { BackgroundWriter } from '../../platform/batching/background-writer.js';
import { RecentMap } from '../../platform/caching/recent-map.js';
import { LogThrottle } from '../../platform/scheduling/log-throttle.js';
import { AcceptedRecipientsRepository } from './accepted-recipients.repository.js';

/** Minimum interval between writes of the same acceptance: thousands of recipients of a domain share one row. */
const EVERY_MS = 10 * 60_000;
/** Maximum acceptances whose last write is remembered. */
const MAX_WRITTEN = 20_000;
/** Age up to which an acceptance is lately. */
const LATELY_MS = 60 * 60_000;
/** Maximum unwritten acceptances; more are dropped, which costs at most one extra probe of a postmaster. */
const MAX_WAITING = 10_000;
const ROWS_AT_ONCE = 200;
/** A job finds many acceptances in that time; a crash loses them, which costs at most a probe of a postmaster each. */
const GATHER_MS = 250;
/** Longer than a write: what this process has noted, it knows. */
const WRITTEN_WITHIN_MS = 6000;

/** Stores acceptances in the background: the checks that find them do not wait for the write. */
@Injectable()
export class StoredAcceptedRecipients implements AcceptedRecipients, OnApplicationShutdown {
  private readonly logger = new Logger('AcceptedRecipients');
  private readonly written = new RecentMap<number>(MAX_WRITTEN);
  private readonly refused = new RecentMap<RefusedSince>(MAX_WRITTEN);
  private readonly warnings = new LogThrottle();
  private readonly writer = new BackgroundWriter<AcceptedAt>({
    write: (accepted) => this.repository.store(accepted),
    onFailure: (error, dropped) => {
      this.warn(error);
      for (const at of dropped) this.written.delete(keyOf(at));
    },
    gatherMs: GATHER_MS,
    maxBatch: ROWS_AT_ONCE,
    maxWaiting: MAX_WAITING,
  });

  constructor(private readonly repository: AcceptedRecipientsRepository) {}

  async recall(at: AcceptedAt): Promise<RememberedAcceptance | null> {
    try {
      await this.writer.settled(WRITTEN_WITHIN_MS);
      const before = performance.now();
      const ageMs = await this.repository.ageMs(at);
      if (ageMs === null) return null;
      const refusals = this.countRefusal(keyOf(at), before - ageMs);
      return ageMs <= LATELY_MS && refusals < MANY_UNPROVEN ? 'lately' : 'earlier';
    } catch (error) {
      this.warn(error);
      return null;
    }
  }

  note(at: AcceptedAt): void {
    const key = keyOf(at);
    this.refused.delete(key);
    const last = this.written.get(key);
    const isRecent = last !== undefined && performance.now() - last < EVERY_MS;
    if (isRecent || this.writer.room <= 0) return;
    this.written.set(key, performance.now());
    this.writer.add(at, key);
  }

  /** Finishes running writes before the database is closed. */
  onApplicationShutdown(): Promise<void> {
    return this.writer.settled(WRITTEN_WITHIN_MS);
  }

  /** Counts an unproven refusal. @returns those since the last acceptance that this process knows of */
  private countRefusal(key: string, acceptedAt: number): number {
    const known = this.refused.get(key);
    const isFirst = known === undefined || known.firstAt < acceptedAt;
    const counted = isFirst ? { firstAt: performance.now(), count: 1 } : { ...known, count: known.count + 1 };
    this.refused.set(key, counted);
    return counted.count;
  }

  private warn(error: unknown): void {
    if (!this.warnings.passes()) return;
    this.logger.warn(
      { err: error },
      'acceptances of mail hosts could not be read or written: postmasters are asked instead',
    );
  }
}

interface RefusedSince {
  /** When the first one came, by the process clock. */
  readonly firstAt: number;
  readonly count: number;
}

function keyOf({ domain, host, egressId }: AcceptedAt): string {
  return `${domain} ${host} ${egressId}`;
}
