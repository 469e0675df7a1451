import fc from 'fast-check';
import { LocalBuckets } from './local-buckets.js';
import { describeDecision, takeToken, type Bucket } from './token-bucket.js';

describe('LocalBuckets', () => {
  it('applies the token bucket to each name separately', () => {
    const steps = fc.array(
      fc.record({
        name: fc.constantFrom('a', 'b'),
        wait: fc.integer({ min: -100, max: 3000 }),
        capacity: fc.constantFrom(5, 60, 300),
      }),
      { maxLength: 200 },
    );
    fc.assert(
      fc.property(steps, (taken) => {
        let now = 1_795_824_000_000;
        const local = new LocalBuckets({ now: () => now });
        const model = new Map<string, Bucket>();
        for (const { name, wait, capacity } of taken) {
          now += wait;
          const { allowed, bucket } = takeToken(model.get(name), now, capacity);
          model.set(name, bucket);
          expect(local.take(name, capacity)).toEqual(describeDecision(allowed, bucket, capacity));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('keeps a bounded number of buckets, the most recently used', () => {
    const local = new LocalBuckets({ maxBuckets: 3, now: () => 0 });
    for (const name of ['a', 'b', 'c', 'a', 'd']) local.take(name, 2);
    expect(local.take('a', 2)).toMatchObject({ allowed: false });
    expect(local.take('c', 2)).toMatchObject({ remaining: 0 });
    expect(local.take('b', 2)).toMatchObject({ remaining: 1 });
  });
});
