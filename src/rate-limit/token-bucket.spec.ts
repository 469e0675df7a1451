import fc from 'fast-check';
import {
  describeDecision,
  PARTS_PER_TOKEN,
  refill,
  takeToken,
  WINDOW_MS,
  type Bucket,
  type TokenDecision,
} from './token-bucket.js';

const START = 1_795_824_000_000;

/** A bucket that remembers itself, on a clock of the test. */
function bucketAt(start = START) {
  let state: Bucket | undefined;
  const clock = { now: start };
  const ask = (capacity: number): TokenDecision => {
    const { allowed, bucket } = takeToken(state, clock.now, capacity);
    state = bucket;
    return describeDecision(allowed, bucket, capacity);
  };
  return { ask, clock, state: () => state };
}

function spend(ask: (capacity: number) => TokenDecision, capacity: number, times: number): TokenDecision {
  let last = ask(capacity);
  for (let i = 1; i < times; i++) last = ask(capacity);
  return last;
}

const capacities = fc.integer({ min: 1, max: 2000 });
const smallCapacities = fc.integer({ min: 1, max: 50 });
const pauses = fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 2 * WINDOW_MS }));

describe('a full bucket', () => {
  it('can be spent at once, but not a token more', () => {
    const { ask } = bucketAt();
    expect(ask(60)).toEqual({
      allowed: true,
      limit: 60,
      remaining: 59,
      resetAt: START / 1000 + 1,
      nextTokenInSeconds: 1,
    });
    expect(spend(ask, 60, 59)).toMatchObject({ allowed: true, remaining: 0, resetAt: START / 1000 + 60 });
    expect(ask(60)).toEqual({
      allowed: false,
      limit: 60,
      remaining: 0,
      resetAt: START / 1000 + 60,
      nextTokenInSeconds: 1,
    });
  });

  it('is full again after a minute, whatever its size', () => {
    for (const capacity of [1, 7, 60, 6000]) {
      const { ask, clock } = bucketAt();
      spend(ask, capacity, capacity);
      clock.now += WINDOW_MS;
      expect(ask(capacity)).toMatchObject({ allowed: true, remaining: capacity - 1 });
    }
  });
});

describe('an empty bucket', () => {
  it('grants the next token when it is due, and not a millisecond sooner', () => {
    const { ask, clock } = bucketAt();
    spend(ask, 7, 7);
    clock.now += 8571; // 60,000 / 7 = 8,571.4…
    expect(ask(7)).toMatchObject({ allowed: false, nextTokenInSeconds: 1 });
    clock.now += 1;
    expect(ask(7)).toMatchObject({ allowed: true, remaining: 0 });
  });

  it('refuses without taking a token', () => {
    const { ask, clock } = bucketAt();
    spend(ask, 60, 60);
    for (let i = 0; i < 999; i++) {
      clock.now += 1;
      expect(ask(60).allowed).toBe(false);
    }
    clock.now += 1;
    expect(ask(60).allowed).toBe(true);
  });

  it('is what a plan without requests always has', () => {
    const { ask, clock } = bucketAt();
    const refusal = { allowed: false, limit: 0, remaining: 0, nextTokenInSeconds: 60 };
    expect(ask(0)).toEqual({ ...refusal, resetAt: START / 1000 });
    clock.now += 10 * WINDOW_MS;
    expect(ask(0)).toMatchObject(refusal);
  });
});

describe('over time', () => {
  it('no interval sees more than a full bucket plus the refill', () => {
    fc.assert(
      fc.property(smallCapacities, fc.array(pauses, { maxLength: 300 }), (capacity, waits) => {
        const { ask, clock } = bucketAt();
        const allowedAt: number[] = [];
        for (const wait of waits) {
          clock.now += wait;
          while (ask(capacity).allowed) allowedAt.push(clock.now);
        }
        let excess = 0;
        for (let from = 0; from < allowedAt.length; from += 10) {
          for (let to = from; to < allowedAt.length; to += 7) {
            const bound = capacity + ((allowedAt[to]! - allowedAt[from]!) * capacity) / WINDOW_MS;
            excess = Math.max(excess, to - from + 1 - bound);
          }
        }
        expect(excess).toBe(0);
      }),
    );
  });

  it('a caller that has spent the bucket and sends evenly at the rate is never refused', () => {
    fc.assert(
      fc.property(capacities, fc.integer({ min: 0, max: 20 }), (capacity, slack) => {
        const { ask, clock } = bucketAt();
        spend(ask, capacity, capacity);
        let refused = 0;
        for (let i = 0; i < 200; i++) {
          clock.now += Math.ceil(WINDOW_MS / capacity) + slack;
          if (!ask(capacity).allowed) refused++;
        }
        expect(refused).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it('a caller that sends all the time gets the bucket and then exactly the rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 1, max: 90 }), (capacity, seconds) => {
        const { ask, clock } = bucketAt();
        let allowed = 0;
        for (let ms = 0; ms <= seconds * 1000; ms += 20) {
          clock.now = START + ms;
          while (ask(capacity).allowed) allowed++;
        }
        expect(allowed).toBe(capacity + Math.floor((seconds * capacity) / 60));
      }),
      { numRuns: 30 },
    );
  });
});

describe('the values for the caller', () => {
  /** Some history, then one request. */
  const histories = fc.record({
    capacity: capacities,
    waits: fc.array(pauses, { minLength: 1, maxLength: 100 }),
    start: fc.integer({ min: START, max: START + 5000 }),
  });
  const after = ({ capacity, waits, start }: { capacity: number; waits: number[]; start: number }) => {
    const { ask, clock, state } = bucketAt(start);
    let told = spend(ask, capacity, Math.min(capacity, 200));
    for (const wait of waits) {
      clock.now += wait;
      told = ask(capacity);
    }
    return { ask, clock, state, told, capacity };
  };

  it('are exact: as many requests as remain are served at once, and the next is refused', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { ask, told, capacity } = after(history);
        let served = 0;
        while (ask(capacity).allowed) served++;
        expect(served).toBe(told.remaining);
      }),
    );
  });

  it('are exact: after Retry-After a refused caller is served', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { ask, clock, capacity } = after(history);
        let refused = ask(capacity);
        while (refused.allowed) refused = ask(capacity);
        expect(refused.nextTokenInSeconds).toBeGreaterThanOrEqual(1);
        clock.now += 1000 * refused.nextTokenInSeconds;
        expect(ask(capacity).allowed).toBe(true);
      }),
    );
  });

  it('are exact: the bucket is full at the reset, and not a second before', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { state, clock, told, capacity } = after(history);
        expect(refill(state(), 1000 * told.resetAt, capacity).missing).toBe(0);
        const before = 1000 * (told.resetAt - 1);
        if (before > clock.now) expect(refill(state(), before, capacity).missing).toBeGreaterThan(0);
      }),
    );
  });

  it('stay within the limit', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { told, capacity } = after(history);
        expect(told.remaining).toBeGreaterThanOrEqual(0);
        expect(told.remaining).toBeLessThan(capacity);
        expect(told.nextTokenInSeconds).toBeLessThanOrEqual(60);
      }),
    );
  });
});

describe('a change of plan', () => {
  it('changes the limit and keeps the used tokens', () => {
    const { ask } = bucketAt();
    spend(ask, 60, 10);
    expect(ask(6000)).toMatchObject({ allowed: true, limit: 6000, remaining: 6000 - 11 });
    expect(ask(60)).toMatchObject({ allowed: true, limit: 60, remaining: 60 - 12 });
  });

  it('to a smaller one leaves an empty bucket, which refills at the new rate', () => {
    const { ask, clock } = bucketAt();
    spend(ask, 6000, 5000);
    expect(ask(60)).toMatchObject({ allowed: false, remaining: 0, nextTokenInSeconds: 1 });
    clock.now += 1000;
    expect(ask(60)).toMatchObject({ allowed: true, remaining: 0 });
  });
});

describe('a clock that goes back', () => {
  it('refills nothing, and continues from the new time', () => {
    const { ask, clock } = bucketAt();
    spend(ask, 60, 60);
    clock.now -= 3_600_000;
    expect(ask(60)).toMatchObject({ allowed: false, remaining: 0 });
    clock.now += 1000;
    expect(ask(60)).toMatchObject({ allowed: true, remaining: 0 });
  });
});

it('is exact for the largest plan a row can hold', () => {
  const capacity = 4_294_967_295;
  const { ask, clock } = bucketAt();
  expect(ask(capacity)).toMatchObject({ remaining: capacity - 1 });
  clock.now += 10;
  expect(ask(capacity)).toMatchObject({ remaining: capacity - 1 });
  expect(Number.isSafeInteger(capacity * PARTS_PER_TOKEN)).toBe(true);
});
