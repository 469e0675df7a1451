import { Deadline } from '../../src/engine/deadline.js';
import type { PolitenessAnswer, PolitenessRequest, SessionsOutcome } from '../../src/engine/smtp/politeness.js';
import { LimitedPoliteness } from '../../src/platform/politeness/limited-politeness.js';
import { LocalThrottleStore } from '../../src/platform/politeness/local-throttle-store.js';
import type { ThrottleStore } from '../../src/platform/politeness/throttle-store.js';

const SERVED: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
export const LIMITS = { maxConnections: 2, recipientsPerMinute: 6000 };

/** Counts the requests to the store. */
class CountedStore implements ThrottleStore {
  asked = 0;
  constructor(private readonly inner: ThrottleStore) {}
  acquire(...given: Parameters<ThrottleStore['acquire']>): ReturnType<ThrottleStore['acquire']> {
    this.asked += 1;
    return this.inner.acquire(...given);
  }
}

const deadlines: Deadline[] = [];

/** Tests of this file run on fake timers, and leave none behind. */
export function useTimersOfPoliteness(): void {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => {
    for (const deadline of deadlines.splice(0)) deadline.release();
    const timers = jest.getTimerCount();
    jest.useRealTimers();
    if (timers > 0) throw new Error(`${timers} timers were left running`);
  });
}

export function request(deadlineMs = 10_000, over: Partial<PolitenessRequest> = {}): PolitenessRequest {
  const deadline = Deadline.after(deadlineMs);
  deadlines.push(deadline);
  const known = { group: 'domain:example.net', provider: null, domain: 'example.com', egressId: 'direct' };
  return { ...known, recipients: 1, deadline, ...over };
}

export function build(limits = LIMITS) {
  const store = new CountedStore(new LocalThrottleStore());
  return { store, politeness: new LimitedPoliteness(store, { limits, random: () => 0.5 }) };
}

/** @param asked recipients asked about; left out: nothing is said of them */
export function release(answer: PolitenessAnswer, outcome = SERVED, asked?: number): void {
  if (answer.kind !== 'granted') throw new Error(`not granted: ${answer.kind}`);
  answer.release(outcome, asked);
}
