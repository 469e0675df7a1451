import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { setTimeout as delay } from 'node:timers/promises';
import { rankOf, type CheckDepth } from '../../src/verify/single-flight/join-outcome.js';
import { join, newHash, newProcess, nobodyWaits, useFlights } from './single-flight-support.js';

useFlights();

it('an address has one lease holder at a time, and no waiter is left behind', async () => {
  const processes = [await newProcess(), await newProcess(), await newProcess()];
  const visit = record({
    process: integer({ min: 0, max: processes.length - 1 }),
    address: integer({ min: 0, max: 2 }),
    depth: constantFrom<CheckDepth>('standard', 'standard', 'enhanced'),
    afterMs: integer({ min: 0, max: 30 }),
    heldMs: integer({ min: 0, max: 10 }),
    stored: boolean(),
    patienceMs: constantFrom(5, 50, 20_000, 20_000, 20_000),
  });
  const seen = new Map<string, number>();
  await assert(
    asyncProperty(array(visit, { minLength: 20, maxLength: 80 }), async (visits) => {
      const addresses = [newHash(), newHash(), newHash()];
      const holding = new Map<string, number>();
      const results: { readonly hash: string; readonly rank: number; underWayUntil: number }[] = [];
      await Promise.all(
        visits.map(async ({ process, address, depth, afterMs, heldMs, stored, patienceMs }) => {
          await delay(afterMs);
          const hash = addresses[address]!;
          const joinedAt = performance.now();
          const flight = await join(processes[process]!, hash, depth, patienceMs);
          seen.set(flight.kind, (seen.get(flight.kind) ?? 0) + 1);
          if (flight.kind === 'timed_out') expect(performance.now() - joinedAt).toBeGreaterThanOrEqual(patienceMs - 1);
          if (flight.kind === 'completed') {
            // A message may be under way for a moment.
            const serving = results.filter(({ hash: of, rank }) => of === hash && rank >= rankOf(depth));
            expect(serving.some(({ underWayUntil }) => underWayUntil >= joinedAt - 500)).toBe(true);
          }
          if (flight.kind !== 'leader') return;
          expect(holding.get(hash) ?? 0).toBe(0);
          holding.set(hash, 1);
          await delay(heldMs);
          holding.set(hash, 0);
          const result = { hash, rank: rankOf(depth), underWayUntil: Infinity };
          if (stored) results.push(result);
          await flight.complete(stored);
          result.underWayUntil = performance.now();
        }),
      );
      for (const flights of processes) expect(await nobodyWaits(flights)).toBe(true);
    }),
    { numRuns: 25 },
  );
  expect([...seen.keys()].toSorted()).toEqual(['completed', 'leader', 'timed_out']);
});
