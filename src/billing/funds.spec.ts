import fc from 'fast-check';
import { creditsOf, freeVerifiesLeft, inMonth, pay, refundOf, withRefund, type Funds, type Payment } from './funds.js';
import { priceOf, type Price } from './price.js';

const funds = (overrides: Partial<Funds> = {}): Funds => ({
  purchased: 0,
  gifted: 0,
  month: 202611,
  freeVerifiesUsed: 0,
  ...overrides,
});
const standard = (addresses: number): Price => priceOf(Array.from({ length: addresses }, () => 1));
const enhanced = (addresses: number): Price => priceOf(Array.from({ length: addresses }, () => 3));

describe('pay', () => {
  it('takes one free verify per address if the whole call fits, in any mode', () => {
    expect(pay(funds({ purchased: 9, freeVerifiesUsed: 98 }), enhanced(2), 100)).toEqual({
      kind: 'paid',
      payment: { purchased: 0, gifted: 0, freeVerifies: 2, month: 202611 },
      funds: funds({ purchased: 9, freeVerifiesUsed: 100 }),
    });
  });

  it('takes credits for the whole call if the allowance does not cover all of it', () => {
    expect(pay(funds({ purchased: 9, freeVerifiesUsed: 99 }), enhanced(2), 100)).toEqual({
      kind: 'paid',
      payment: { purchased: 6, gifted: 0, freeVerifies: 0, month: 202611 },
      funds: funds({ purchased: 3, freeVerifiesUsed: 99 }),
    });
  });

  it('spends gifted credits before purchased ones', () => {
    expect(pay(funds({ purchased: 5, gifted: 2 }), standard(3), 0)).toMatchObject({
      payment: { gifted: 2, purchased: 1 },
      funds: { gifted: 0, purchased: 4 },
    });
    expect(pay(funds({ purchased: 5, gifted: 4 }), standard(3), 0)).toMatchObject({
      payment: { gifted: 3, purchased: 0 },
    });
  });

  it('pays down to the last credit, and reports what is missing', () => {
    expect(pay(funds({ purchased: 1, gifted: 2 }), enhanced(1), 0)).toMatchObject({ kind: 'paid' });
    expect(pay(funds({ purchased: 1, gifted: 1 }), enhanced(1), 0)).toMatchObject({
      kind: 'insufficient',
      shortfall: 1,
    });
    expect(pay(funds(), enhanced(2), 1)).toMatchObject({ kind: 'insufficient', shortfall: 6 });
  });

  it('leaves the allowance untouched if it is too small for the whole call', () => {
    const beginning = { ...standard(20), ofCall: 50 };
    expect(pay(funds({ purchased: 20 }), beginning, 40)).toMatchObject({
      kind: 'paid',
      payment: { purchased: 20, freeVerifies: 0 },
      funds: { purchased: 0, freeVerifiesUsed: 0 },
    });
    expect(pay(funds(), beginning, 40)).toMatchObject({ kind: 'insufficient', shortfall: 20 });
    expect(pay(funds(), beginning, 50)).toMatchObject({ kind: 'paid', payment: { freeVerifies: 20 } });
  });

  it('never counts an allowance below zero after a plan was made smaller', () => {
    expect(pay(funds({ freeVerifiesUsed: 500 }), standard(1), 100)).toMatchObject({
      kind: 'insufficient',
      shortfall: 1,
    });
    expect(freeVerifiesLeft(funds({ freeVerifiesUsed: 500 }), 100)).toBe(0);
  });

  it('pays everything from an unlimited allowance', () => {
    const used = funds({ purchased: 9, freeVerifiesUsed: 1_000_000 });
    expect(pay(used, enhanced(100), null)).toMatchObject({
      payment: { freeVerifies: 100, purchased: 0 },
      funds: { purchased: 9, freeVerifiesUsed: 1_000_100 },
    });
  });
});

describe('inMonth', () => {
  it('starts a new count in a later month, and never returns to an earlier one', () => {
    const used = funds({ freeVerifiesUsed: 7, purchased: 3 });
    expect(inMonth(used, 202612)).toEqual(funds({ month: 202612, purchased: 3 }));
    expect(inMonth(used, 202611)).toEqual(used);
    expect(inMonth(used, 202610)).toEqual(used);
  });
});

describe('a refund', () => {
  const nothing = { purchased: 0, gifted: 0, freeVerifies: 0 };
  const paid: Payment = { purchased: 3, gifted: 2, freeVerifies: 0, month: 202611 };

  it('returns credits to their bucket, the last spent first', () => {
    expect(refundOf(paid, nothing, { addresses: 1, credits: 1 })).toMatchObject({ purchased: 1, gifted: 0 });
    expect(refundOf(paid, { ...nothing, purchased: 2 }, { addresses: 1, credits: 3 })).toMatchObject({
      purchased: 1,
      gifted: 2,
    });
  });

  it('returns free verifies to their own month only', () => {
    const free: Payment = { purchased: 0, gifted: 0, freeVerifies: 4, month: 202611 };
    const back = refundOf(free, nothing, { addresses: 3, credits: 9 });
    expect(back).toEqual({ purchased: 0, gifted: 0, freeVerifies: 3, month: 202611 });
    expect(withRefund(funds({ freeVerifiesUsed: 10 }), back).freeVerifiesUsed).toBe(7);
    expect(withRefund(funds({ month: 202612, freeVerifiesUsed: 10 }), back).freeVerifiesUsed).toBe(10);
  });

  it('never exceeds the payment', () => {
    expect(() => refundOf(paid, { ...nothing, purchased: 3 }, { addresses: 1, credits: 3 })).toThrow(RangeError);
    const free: Payment = { ...nothing, freeVerifies: 1, month: 202611 };
    expect(() => refundOf(free, { ...nothing, freeVerifies: 1 }, { addresses: 1, credits: 1 })).toThrow(RangeError);
  });

  it('restores the funds when the whole payment is refunded in parts of any size', () => {
    fc.assert(
      fc.property(
        fc.record({ purchased: fc.nat(50), gifted: fc.nat(50), freeVerifiesUsed: fc.nat(60) }),
        fc.array(fc.constantFrom(0, 1, 3), { maxLength: 20 }),
        fc.nat(60),
        (given, unitPrices, perMonth) => {
          const before = funds(given);
          const settled = pay(before, priceOf(unitPrices), perMonth);
          if (settled.kind === 'insufficient') return;
          expect(creditsOf(settled.funds)).toBeGreaterThanOrEqual(0);
          let after = settled.funds;
          let refunded = nothing;
          for (const credits of unitPrices.filter((each) => each > 0)) {
            const back = refundOf(settled.payment, refunded, { addresses: 1, credits });
            after = withRefund(after, back);
            refunded = {
              purchased: refunded.purchased + back.purchased,
              gifted: refunded.gifted + back.gifted,
              freeVerifies: refunded.freeVerifies + back.freeVerifies,
            };
          }
          expect(after).toEqual(before);
        },
      ),
    );
  });
});
