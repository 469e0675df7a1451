import { CreditHolds, type HoldOutcome } from './credit-holds.js';
import type { Funds } from '../funds.js';
import { priceOf } from '../price.js';

const funds = (purchased: number, freeVerifiesUsed = 0): Funds => ({
  purchased,
  gifted: 0,
  month: 202611,
  freeVerifiesUsed,
});
const LATER = 1e12;

function world(start: Funds, freeVerifiesPerMonth = 0) {
  const holds = new CreditHolds();
  const acquire = (unitPrices: number[] = [1], reading = { funds: start, asOf: 0 }, maxWaitMs = 60_000) =>
    holds.acquire({
      accountId: 'a',
      price: priceOf(unitPrices),
      unitPrices: null,
      freeVerifiesPerMonth,
      reading,
      maxWaitMs,
    });
  /** The number of entries granted to a call that accepts a prefix. */
  const begin = async (unitPrices: number[], maxWaitMs = 60_000) => {
    const reading = { funds: start, asOf: 0 };
    const price = priceOf(unitPrices);
    return holds.acquire({ accountId: 'a', price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs });
  };
  return { holds, acquire, begin };
}
const entries = (outcome: HoldOutcome): number | null => (outcome.kind === 'held' ? outcome.prefix.entries : null);
async function settled(promise: Promise<HoldOutcome>): Promise<HoldOutcome | 'waits'> {
  return Promise.race([promise, new Promise<'waits'>((resolve) => void setImmediate(() => resolve('waits')))]);
}
function held(outcome: HoldOutcome): HoldOutcome & { kind: 'held' } {
  if (outcome.kind !== 'held') throw new Error(outcome.kind);
  return outcome;
}

it('admits as many calls as the account can pay, and lets the rest wait', async () => {
  const { acquire } = world(funds(2));
  const first = held(await acquire());
  held(await acquire());
  const third = acquire();
  expect(await settled(third)).toBe('waits');
  first.release(null);
  expect((await third).kind).toBe('held');
});

it('refuses waiting calls when the money is spent, and reports what is missing', async () => {
  const { acquire } = world(funds(1));
  const first = held(await acquire());
  const waiting = [acquire(), acquire([3])];
  first.release(funds(0));
  expect(await Promise.all(waiting)).toEqual([
    { kind: 'insufficient', shortfall: 1 },
    { kind: 'insufficient', shortfall: 3 },
  ]);
});

it('refuses at once a call that the account could not pay even alone', async () => {
  const { acquire } = world(funds(2));
  held(await acquire());
  expect(await acquire([3])).toMatchObject({ kind: 'insufficient', shortfall: 2 });
  expect(await world(funds(0)).acquire([3])).toEqual({ kind: 'insufficient', shortfall: 3 });
});

it('counts the allowance and the credits separately', async () => {
  const { acquire } = world(funds(1, 98), 100);
  held(await acquire());
  held(await acquire([3]));
  held(await acquire());
  expect(await settled(acquire())).toBe('waits');
});

it('returns free verifies that were held and not used', async () => {
  const { acquire } = world(funds(0, 99), 100);
  const first = held(await acquire());
  const second = acquire();
  expect(await settled(second)).toBe('waits');
  first.release(null);
  expect((await second).kind).toBe('held');
});

it('makes a call that exceeds the remaining allowance pay wholly in credits', async () => {
  const { acquire } = world(funds(2, 99), 100);
  held(await acquire([1, 1]));
  held(await acquire());
  expect(await settled(acquire())).toBe('waits');
});

it('lets no later call overtake a waiting one', async () => {
  const { acquire } = world(funds(3));
  const first = held(await acquire());
  const big = acquire([1, 1, 1]);
  const small = acquire();
  expect(await settled(small)).toBe('waits');
  first.release(funds(2));
  expect(await big).toEqual({ kind: 'insufficient', shortfall: 1 });
  expect((await small).kind).toBe('held');
});

it('uses a later reading of the balance, such as one after a grant, and ignores an earlier one', async () => {
  const { acquire } = world(funds(1));
  const first = held(await acquire());
  first.release(funds(0));
  const second = held(await acquire([1], { funds: funds(2), asOf: LATER }));
  held(await acquire([1], { funds: funds(2), asOf: LATER }));
  expect(await settled(acquire([1], { funds: funds(50), asOf: LATER - 1 }))).toBe('waits');
  second.release(null);
});

it('admits waiting calls when another call reads a grant', async () => {
  const { acquire } = world(funds(1));
  held(await acquire());
  const waiting = acquire();
  expect(await settled(waiting)).toBe('waits');
  const next = acquire([1], { funds: funds(9), asOf: LATER });
  expect((await waiting).kind).toBe('held');
  expect((await next).kind).toBe('held');
});

it('refuses a call that has waited too long: credits that others hold count as spent', async () => {
  const { acquire } = world(funds(1));
  held(await acquire());
  expect(await acquire([1], { funds: funds(1), asOf: 0 }, 10)).toEqual({ kind: 'insufficient', shortfall: 1 });
});

it('decides the calls behind one that has waited too long', async () => {
  const { acquire } = world(funds(3));
  held(await acquire());
  const big = acquire([3], undefined, 10);
  const small = acquire();
  expect(await settled(small)).toBe('waits');
  expect(await big).toEqual({ kind: 'insufficient', shortfall: 1 });
  expect(await settled(small)).toMatchObject({ kind: 'held' });
});

it('leaves no timer of a call that has waited', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  const { acquire } = world(funds(1));
  const first = held(await acquire());
  const waiting = acquire();
  first.release(null);
  await waiting;
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

it('refuses a call at once when a thousand already wait', async () => {
  const { acquire } = world(funds(1));
  held(await acquire());
  const waiting = Array.from({ length: 1000 }, () => acquire());
  expect(await acquire()).toEqual({ kind: 'insufficient', shortfall: 1 });
  expect(await settled(waiting[999]!)).toBe('waits');
});

it('releases a hold once, however often it is released', async () => {
  const { acquire } = world(funds(2));
  const [first] = [held(await acquire()), held(await acquire())];
  first.release(null);
  first.release(null);
  held(await acquire());
  expect(await settled(acquire())).toBe('waits');
});

it('forgets an account without open holds', async () => {
  const { holds, acquire } = world(funds(1));
  held(await acquire()).release(funds(0));
  await world(funds(0)).acquire();
  expect((holds as unknown as { accounts: Map<string, unknown> }).accounts.size).toBe(0);
});

describe('a call that may be admitted in part', () => {
  it('is admitted whole if the account can pay all of it', async () => {
    expect(entries(await world(funds(3)).begin([1, 0, 1, 1]))).toBe(4);
    expect(entries(await world(funds(0), 2).begin([3, 3]))).toBe(2);
  });

  it('is admitted up to what can be paid if no other call runs, and holds only that', async () => {
    const { begin, acquire } = world(funds(3));
    expect(entries(await begin([1, 1, 3, 1]))).toBe(2);
    expect((await acquire()).kind).toBe('held');
    expect(await settled(acquire())).toBe('waits');
  });

  it('is refused with its full price if not even the first entry can be paid', async () => {
    expect(await world(funds(0)).begin([0, 1, 1])).toEqual({ kind: 'insufficient', shortfall: 2 });
    expect(await world(funds(1)).begin([3, 1])).toEqual({ kind: 'insufficient', shortfall: 3 });
  });

  it('waits for running calls if that may admit more, and gets what they release', async () => {
    const { begin, acquire } = world(funds(4));
    const [first, second] = [held(await acquire()), held(await acquire())];
    const waiting = begin([1, 1, 1, 1]);
    expect(await settled(waiting)).toBe('waits');
    first.release(funds(3));
    expect(await settled(waiting)).toBe('waits');
    second.release(null);
    expect(entries(await waiting)).toBe(3);
  });

  it('does not wait if running calls hold nothing that it needs', async () => {
    const { begin, acquire } = world(funds(2), 1);
    held(await acquire());
    expect(entries(await begin([1, 1, 1]))).toBe(2);
  });

  it('takes what is available when its wait ends', async () => {
    const { begin, acquire } = world(funds(3));
    held(await acquire());
    expect(entries(await begin([1, 1, 1], 10))).toBe(2);
    expect(await begin([1, 1], 10)).toEqual({ kind: 'insufficient', shortfall: 2 });
  });

  it('takes nothing from calls that waited before it', async () => {
    const { begin, acquire } = world(funds(3));
    const first = held(await acquire());
    const big = acquire([3]);
    expect(await begin([1, 1, 1], 10)).toEqual({ kind: 'insufficient', shortfall: 1 });
    first.release(null);
    expect((await big).kind).toBe('held');
  });

  it('is not overtaken by later calls', async () => {
    const { begin, acquire } = world(funds(3));
    const first = held(await acquire());
    const part = begin([1, 1, 1, 1]);
    const small = acquire();
    expect(await settled(small)).toBe('waits');
    first.release(funds(2));
    expect(entries(await part)).toBe(2);
    expect(await settled(small)).toBe('waits');
  });
});
