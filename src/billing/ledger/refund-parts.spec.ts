import type { Payment } from '../funds.js';
import { refundParts, type StandingCharge } from './refund-parts.js';

const paid = (overrides: Partial<Payment>): Payment => ({
  purchased: 0,
  gifted: 0,
  freeVerifies: 0,
  month: 202611,
  ...overrides,
});
const charge = (payment: Partial<Payment>, refunds: Record<string, Payment> = {}): StandingCharge => ({
  accountId: 'a',
  keyId: 'k',
  reference: 'batch:1',
  payment: paid(payment),
  refunds: new Map(Object.entries(refunds)),
});

it('refunds each part under its own reference, to the bucket that was spent last', () => {
  const parts = [
    { part: '0', credits: 3 },
    { part: '7', credits: 1 },
  ];
  expect(refundParts(charge({ gifted: 2, purchased: 2 }), parts)).toEqual([
    {
      accountId: 'a',
      kind: 'refund',
      reference: 'batch:1:0',
      keyId: 'k',
      price: { addresses: 1, unitPrice: 3 },
      payment: paid({ purchased: 2, gifted: 1 }),
    },
    expect.objectContaining({ reference: 'batch:1:7', payment: paid({ gifted: 1 }) }),
  ]);
});

it('refunds a free verify where the allowance paid, whatever the address would have cost', () => {
  expect(refundParts(charge({ freeVerifies: 2, month: 202610 }), [{ part: '0', credits: 3 }])).toMatchObject([
    { price: { addresses: 1, unitPrice: 3 }, payment: paid({ freeVerifies: 1, month: 202610 }) },
  ]);
});

it('skips a part that was refunded before, and a charge that was refunded whole', () => {
  const before = charge({ purchased: 2 }, { 'batch:1:0': paid({ purchased: 1 }) });
  expect(refundParts(before, [{ part: '0', credits: 1 }])).toEqual([]);
  expect(refundParts(before, [{ part: '1', credits: 1 }])).toHaveLength(1);
  const undone = charge({ purchased: 2 }, { 'batch:1:undelivered': paid({ purchased: 2 }) });
  expect(refundParts(undone, [{ part: '1', credits: 1 }])).toEqual([]);
});

it('never refunds more than was paid, earlier parts included', () => {
  const before = charge({ purchased: 2 }, { 'batch:1:0': paid({ purchased: 1 }) });
  expect(() => refundParts(before, [{ part: '1', credits: 2 }])).toThrow(RangeError);
});

it('refunds an overcharge, and the rest of the price later', () => {
  const tooMuch = { part: '0-rate', credits: 2, staysPaid: true } as const;
  const [entry, ...others] = refundParts(charge({ purchased: 3 }), [tooMuch]);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    reference: 'batch:1:0-rate',
    price: { addresses: 0, unitPrice: 2 },
    payment: paid({ purchased: 2 }),
  });
  const after = charge({ purchased: 3 }, { [entry!.reference]: entry!.payment });
  expect(refundParts(after, [tooMuch])).toEqual([]);
  expect(refundParts(after, [{ part: '0', credits: 1 }])).toMatchObject([{ payment: paid({ purchased: 1 }) }]);
  expect(() => refundParts(after, [{ part: '0', credits: 3 }])).toThrow(RangeError);
});

it('refunds no overcharge where the allowance paid', () => {
  const parts = [{ part: '0-rate', credits: 2, staysPaid: true } as const];
  expect(refundParts(charge({ freeVerifies: 2 }), parts)).toEqual([]);
});
