import { Admission, type Admitted } from './admission.js';
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
  const admission = new Admission();
  const enter = (unitPrices: number[] = [1], reading = { funds: start, asOf: 0 }, maxWaitMs = 60_000) =>
    admission.enter({
      accountId: 'a',
      price: priceOf(unitPrices),
      unitPrices: null,
      freeVerifiesPerMonth,
      reading,
      maxWaitMs,
    });
  /** The entries that a call gets of which a beginning will do. */
  const begin = async (unitPrices: number[], maxWaitMs = 60_000) => {
    const reading = { funds: start, asOf: 0 };
    const price = priceOf(unitPrices);
    return admission.enter({ accountId: 'a', price, unitPrices, freeVerifiesPerMonth, reading, maxWaitMs });
  };
  return { admission, enter, begin };
}
const entries = (admitted: Admitted): number | null => (admitted.kind === 'admitted' ? admitted.prefix.entries : null);
async function settled(promise: Promise<Admitted>): Promise<Admitted | 'waits'> {
  return Promise.race([promise, new Promise<'waits'>((resolve) => void setImmediate(() => resolve('waits')))]);
}
function inside(admitted: Admitted): Admitted & { kind: 'admitted' } {
  if (admitted.kind !== 'admitted') throw new Error(admitted.kind);
  return admitted;
}

it('lets in as many as can be paid, and makes the rest wait for what becomes of them', async () => {
  const { enter } = world(funds(2));
  const first = inside(await enter());
  inside(await enter());
  const third = enter();
  expect(await settled(third)).toBe('waits');
  first.leave(null);
  expect((await third).kind).toBe('admitted');
});

it('refuses those who waited when the money is spent, with what is missing', async () => {
  const { enter } = world(funds(1));
  const first = inside(await enter());
  const waiting = [enter(), enter([3])];
  first.leave(funds(0));
  expect(await Promise.all(waiting)).toEqual([
    { kind: 'insufficient', shortfall: 1 },
    { kind: 'insufficient', shortfall: 3 },
  ]);
});

it('refuses at once what the account could not pay by itself', async () => {
  const { enter } = world(funds(2));
  inside(await enter());
  expect(await enter([3])).toMatchObject({ kind: 'insufficient', shortfall: 2 });
  expect(await world(funds(0)).enter([3])).toEqual({ kind: 'insufficient', shortfall: 3 });
});

it('counts the allowance and the credits apart', async () => {
  const { enter } = world(funds(1, 98), 100);
  inside(await enter());
  inside(await enter([3]));
  inside(await enter());
  expect(await settled(enter())).toBe('waits');
});

it('makes a call for more than is left of the allowance pay whole in credits', async () => {
  const { enter } = world(funds(2, 99), 100);
  inside(await enter([1, 1]));
  inside(await enter());
  expect(await settled(enter())).toBe('waits');
});

it('lets nobody pass those who wait', async () => {
  const { enter } = world(funds(3));
  const first = inside(await enter());
  const big = enter([1, 1, 1]);
  const small = enter();
  expect(await settled(small)).toBe('waits');
  first.leave(funds(2));
  expect(await big).toEqual({ kind: 'insufficient', shortfall: 1 });
  expect((await small).kind).toBe('admitted');
});

it('believes a later reading, such as one after a grant, and no earlier one', async () => {
  const { enter } = world(funds(1));
  const first = inside(await enter());
  first.leave(funds(0));
  const second = inside(await enter([1], { funds: funds(2), asOf: LATER }));
  inside(await enter([1], { funds: funds(2), asOf: LATER }));
  expect(await settled(enter([1], { funds: funds(50), asOf: LATER - 1 }))).toBe('waits');
  second.leave(null);
});

it('has those who wait come in when a grant is read by another call', async () => {
  const { enter } = world(funds(1));
  inside(await enter());
  const waiting = enter();
  expect(await settled(waiting)).toBe('waits');
  const next = enter([1], { funds: funds(9), asOf: LATER });
  expect((await waiting).kind).toBe('admitted');
  expect((await next).kind).toBe('admitted');
});

it('refuses who has waited too long: what others hold counts as spent', async () => {
  const { enter } = world(funds(1));
  inside(await enter());
  expect(await enter([1], { funds: funds(1), asOf: 0 }, 10)).toEqual({ kind: 'insufficient', shortfall: 1 });
});

it('frees what a call held once, however often it leaves', async () => {
  const { enter } = world(funds(1));
  const first = inside(await enter());
  first.leave(null);
  first.leave(null);
  inside(await enter());
  expect(await settled(enter())).toBe('waits');
});

it('keeps nothing of an account that nobody is inside of', async () => {
  const { admission, enter } = world(funds(1));
  inside(await enter()).leave(funds(0));
  await world(funds(0)).enter();
  expect((admission as unknown as { accounts: Map<string, unknown> }).accounts.size).toBe(0);
});

describe('a call of which a beginning will do', () => {
  it('comes in whole where the account can pay for all of it', async () => {
    expect(entries(await world(funds(3)).begin([1, 0, 1, 1]))).toBe(4);
    expect(entries(await world(funds(0), 2).begin([3, 3]))).toBe(2);
  });

  it('comes in up to what can be paid when nobody else is under way, and holds only that', async () => {
    const { begin, enter } = world(funds(3));
    expect(entries(await begin([1, 1, 3, 1]))).toBe(2);
    expect((await enter()).kind).toBe('admitted');
    expect(await settled(enter())).toBe('waits');
  });

  it('is refused with the price of all of it when not even the first entry can be paid', async () => {
    expect(await world(funds(0)).begin([0, 1, 1])).toEqual({ kind: 'insufficient', shortfall: 2 });
    expect(await world(funds(1)).begin([3, 1])).toEqual({ kind: 'insufficient', shortfall: 3 });
  });

  it('waits for those under way when that may get it more, and gets what they leave', async () => {
    const { begin, enter } = world(funds(4));
    const [first, second] = [inside(await enter()), inside(await enter())];
    const waiting = begin([1, 1, 1, 1]);
    expect(await settled(waiting)).toBe('waits');
    first.leave(funds(3));
    expect(await settled(waiting)).toBe('waits');
    second.leave(null);
    expect(entries(await waiting)).toBe(3);
  });

  it('does not wait where those under way keep nothing from it', async () => {
    const { begin, enter } = world(funds(2), 1);
    inside(await enter());
    expect(entries(await begin([1, 1, 1]))).toBe(2);
  });

  it('takes what is there when it has waited long enough', async () => {
    const { begin, enter } = world(funds(3));
    inside(await enter());
    expect(entries(await begin([1, 1, 1], 10))).toBe(2);
    expect(await begin([1, 1], 10)).toEqual({ kind: 'insufficient', shortfall: 2 });
  });

  it('takes nothing from those who waited before it', async () => {
    const { begin, enter } = world(funds(3));
    const first = inside(await enter());
    const big = enter([3]);
    expect(await begin([1, 1, 1], 10)).toEqual({ kind: 'insufficient', shortfall: 1 });
    first.leave(null);
    expect((await big).kind).toBe('admitted');
  });

  it('is not passed by those who come after it', async () => {
    const { begin, enter } = world(funds(3));
    const first = inside(await enter());
    const part = begin([1, 1, 1, 1]);
    const small = enter();
    expect(await settled(small)).toBe('waits');
    first.leave(funds(2));
    expect(entries(await part)).toBe(2);
    expect(await settled(small)).toBe('waits');
  });
});
