import fc from 'fast-check';
import { pay, type Funds } from '../funds.js';
import { payablePrefix } from './payable-prefix.js';
import { priceOf } from '../price.js';

const means = (credits: number, freeVerifies = 0) => ({ credits, freeVerifies });

it('is the whole call if all of it can be paid', () => {
  expect(payablePrefix([1, 3, 1], means(5))).toEqual({ entries: 3, price: priceOf([1, 3, 1]) });
  expect(payablePrefix([3, 3, 3], means(0, 3))?.entries).toBe(3);
});

it('ends before the first entry that cannot be paid, even if a cheaper one follows', () => {
  expect(payablePrefix([1, 3, 1], means(3))).toEqual({ entries: 1, price: { ...priceOf([1]), ofCall: 3 } });
});

it('is what the credits cover if the allowance is too small for the whole call', () => {
  expect(payablePrefix([3, 3, 3, 3], means(9, 2))?.entries).toBe(3);
  expect(payablePrefix([3, 3, 3, 3], means(3, 3))?.entries).toBe(1);
  expect(payablePrefix([3, 3, 3, 3], means(0, 3))).toBeNull();
  expect(payablePrefix([3, 3, 3, 3], means(0, 4))?.entries).toBe(4);
  expect(payablePrefix(Array<number>(50).fill(1), means(20, 40))?.entries).toBe(20);
});

it('includes the free entries before the first one that cannot be paid', () => {
  expect(payablePrefix([0, 1, 0, 0, 1, 0], means(1))?.entries).toBe(4);
});

it('is empty if only free entries would be left', () => {
  expect(payablePrefix([0, 0, 1], means(0))).toBeNull();
  expect(payablePrefix([1], means(-1, -1))).toBeNull();
});

it('is the whole call if no entry costs anything', () => {
  expect(payablePrefix([0, 0], means(0))?.entries).toBe(2);
  expect(payablePrefix([], means(0))?.entries).toBe(0);
});

it('is the longest prefix that can be paid', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, 1, 3), { maxLength: 20 }),
      fc.nat(30),
      fc.nat(15),
      (unitPrices, credits, left) => {
        const funds: Funds = { purchased: credits, gifted: 0, month: 202611, freeVerifiesUsed: 0 };
        const ofCall = priceOf(unitPrices).addresses;
        const isPaid = (entries: number) =>
          pay(funds, { ...priceOf(unitPrices.slice(0, entries)), ofCall }, left).kind === 'paid';
        const lengths = Array.from({ length: unitPrices.length + 1 }, (_, i) => i);
        const longest = Math.max(0, ...lengths.filter(isPaid));
        const isWorthIt = longest === unitPrices.length || priceOf(unitPrices.slice(0, longest)).addresses > 0;
        expect(payablePrefix(unitPrices, means(credits, left))?.entries ?? null).toBe(isWorthIt ? longest : null);
      },
    ),
  );
});
