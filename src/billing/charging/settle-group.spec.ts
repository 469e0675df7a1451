import type { Funds, Payment } from '../funds.js';
import type { AttemptOutcome, Charge, ChargeAttempt, KeptAnswer } from './charge.js';
import { settleGroup, type LockedState } from './settle-group.js';

const funds = (overrides: Partial<Funds> = {}): Funds => ({
  purchased: 0,
  gifted: 0,
  month: 202611,
  freeVerifiesUsed: 0,
  ...overrides,
});
const charge = (reference: string, overrides: Partial<Charge> = {}): Charge => ({
  accountId: 'a',
  keyId: 'k',
  reference,
  price: { addresses: 1, credits: 1, unitPrice: 1 },
  freeVerifiesPerMonth: 0,
  answer: null,
  ...overrides,
});
const attempt = (of: Charge, overrides: Partial<ChargeAttempt> = {}): ChargeAttempt => ({
  charge: of,
  mayStand: false,
  intent: 'charge',
  ...overrides,
});
const state = (overrides: Partial<LockedState> = {}): LockedState => ({
  month: 202611,
  funds: new Map([['a', funds({ purchased: 2 })]]),
  leases: new Map(),
  standing: new Map(),
  ...overrides,
});
const kinds = (outcomes: readonly AttemptOutcome[]): string => outcomes.map(({ kind }) => kind).join(' ');
const payment: Payment = { purchased: 1, gifted: 0, freeVerifies: 0, month: 202611 };

it('charges in order, down to the last credit', () => {
  const settled = settleGroup([attempt(charge('1')), attempt(charge('2')), attempt(charge('3'))], state());
  expect(kinds(settled.outcomes)).toBe('charged charged insufficient');
  expect(settled.outcomes[0]).toMatchObject({ funds: { purchased: 1 } });
  expect(settled.outcomes[2]).toMatchObject({ shortfall: 1, funds: { purchased: 0 } });
  expect(settled.entries.map(({ reference }) => reference)).toEqual(['1', '2']);
  expect([...settled.changed]).toEqual([['a', funds({ purchased: 0 })]]);
});

it('charges a cheap call after an expensive one that fits', () => {
  const dear = charge('1', { price: { addresses: 1, credits: 3, unitPrice: 3 } });
  expect(kinds(settleGroup([attempt(dear), attempt(charge('2'))], state()).outcomes)).toBe('insufficient charged');
});

it('skips a locked account and charges the others', () => {
  const other = charge('2', { accountId: 'b' });
  const settled = settleGroup([attempt(other), attempt(charge('1'))], state());
  expect(kinds(settled.outcomes)).toBe('held charged');
  expect(settled.entries).toHaveLength(1);
});

it('starts a new count of free verifies in a new month, and never returns to an earlier month', () => {
  const used = new Map([['a', funds({ freeVerifiesUsed: 100 })]]);
  const free = attempt(charge('1', { freeVerifiesPerMonth: 100 }));
  expect(kinds(settleGroup([free], state({ funds: used })).outcomes)).toBe('insufficient');
  const settled = settleGroup([free], state({ funds: used, month: 202612 }));
  expect(settled.outcomes[0]).toMatchObject({ kind: 'charged', payment: { freeVerifies: 1, month: 202612 } });
  expect(settled.changed.get('a')).toMatchObject({ month: 202612, freeVerifiesUsed: 1 });
  const later = new Map([['a', funds({ month: 202612, freeVerifiesUsed: 100 })]]);
  expect(kinds(settleGroup([free], state({ funds: later })).outcomes)).toBe('insufficient');
});

describe('an answer to store', () => {
  const lease = Buffer.alloc(16, 1);
  const answer: KeptAnswer = { recordId: 7, lease, status: 200, headers: null, body: Buffer.from('{}') };

  it('is stored with its charge', () => {
    const settled = settleGroup(
      [attempt(charge('1', { answer }))],
      state({ leases: new Map([[7, Buffer.alloc(16, 1)]]) }),
    );
    expect(kinds(settled.outcomes)).toBe('charged');
    expect(settled.answers).toEqual([answer]);
  });

  it.each([
    ['has passed to another call', new Map([[7, Buffer.alloc(16, 2)]])],
    ['is over', new Map<number, Buffer>()],
  ])('is not, nor is the call charged, when the lease %s', (_, leases) => {
    const settled = settleGroup([attempt(charge('1', { answer }))], state({ leases }));
    expect(kinds(settled.outcomes)).toBe('superseded');
    expect(settled).toMatchObject({ entries: [], answers: [] });
  });

  it('is not stored if the credits do not suffice', () => {
    const poor = state({ funds: new Map([['a', funds()]]), leases: new Map([[7, lease]]) });
    expect(settleGroup([attempt(charge('1', { answer }))], poor).answers).toEqual([]);
  });
});

describe('a retry whose first attempt may be committed', () => {
  const again = (overrides: Partial<ChargeAttempt> = {}) => attempt(charge('1'), { mayStand: true, ...overrides });
  const standing = new Map([['1', payment]]);

  it('is not charged twice', () => {
    const settled = settleGroup([again()], state({ standing }));
    expect(settled.outcomes).toEqual([{ kind: 'charged', payment, funds: funds({ purchased: 2 }) }]);
    expect(settled.entries).toEqual([]);
  });

  it('is charged if the first attempt is not committed', () => {
    expect(settleGroup([again()], state()).entries).toHaveLength(1);
  });

  it('is not charged for a client that has disconnected', () => {
    const settled = settleGroup([again({ intent: 'withdraw' })], state());
    expect(kinds(settled.outcomes)).toBe('withdrawn');
    expect(settled.entries).toEqual([]);
  });

  it('is found for a client that has disconnected, if the first attempt is committed', () => {
    expect(kinds(settleGroup([again({ intent: 'withdraw' })], state({ standing })).outcomes)).toBe('charged');
  });

  it('is refunded once if the caller was told that it failed', () => {
    const settled = settleGroup([again({ intent: 'undo' })], state({ standing }));
    expect(settled.entries).toMatchObject([{ kind: 'refund', reference: '1:undelivered', payment }]);
    expect(settled.changed.get('a')).toEqual(funds({ purchased: 3 }));
    const undone = new Map([...standing, ['1:undelivered', payment] as const]);
    expect(settleGroup([again({ intent: 'undo' })], state({ standing: undone })).entries).toEqual([]);
    expect(settleGroup([again({ intent: 'undo' })], state()).entries).toEqual([]);
  });

  it('is not refunded if its answer is stored for a retry', () => {
    const answer: KeptAnswer = { recordId: 7, lease: Buffer.alloc(16), status: 200, headers: null, body: Buffer.of() };
    const kept = attempt(charge('1', { answer }), { mayStand: true, intent: 'undo' });
    expect(settleGroup([kept], state({ standing })).entries).toEqual([]);
  });
});

describe('parts that wait on deferred probes', () => {
  const waiting = [
    { waitsOn: 'p1', part: '0', credits: 1 },
    { waitsOn: 'p2', part: '2', credits: 1 },
  ];
  const batch = charge('1', { price: { addresses: 3, credits: 3, unitPrice: 1 }, waiting });
  const rich = new Map([['a', funds({ purchased: 9 })]]);
  const stands: Payment = { purchased: 3, gifted: 0, freeVerifies: 0, month: 202611 };
  const undo = (standing: Record<string, Payment>, of: Charge = batch) =>
    settleGroup(
      [attempt(of, { mayStand: true, intent: 'undo' })],
      state({ funds: rich, standing: new Map(Object.entries(standing)) }),
    );
  const rows = waiting.map((part) => ({ ...part, reference: '1' }));

  it('are stored with the charge, and only with it', () => {
    const settled = settleGroup([attempt(batch), attempt(charge('2', { ...batch, reference: '2' }))], state());
    expect(kinds(settled.outcomes)).toBe('insufficient insufficient');
    expect(settled.waiting).toEqual([]);
    expect(settleGroup([attempt(batch)], state({ funds: rich })).waiting).toEqual(rows);
  });

  it('are stored where the allowance pays, too', () => {
    const free = charge('1', { ...batch, freeVerifiesPerMonth: 3 });
    expect(settleGroup([attempt(free)], state()).waiting).toEqual(rows);
  });

  it('are not stored again if the charge exists already', () => {
    const again = settleGroup(
      [attempt(batch, { mayStand: true })],
      state({ funds: rich, standing: new Map([['1', stands]]) }),
    );
    expect(kinds(again.outcomes)).toBe('charged');
    expect(again.waiting).toEqual([]);
  });

  it('are deleted when the charge is refunded', () => {
    const settled = undo({ '1': stands });
    expect(settled.entries).toMatchObject([{ reference: '1:undelivered', price: { addresses: 3 }, payment: stands }]);
    expect(settled.unawaited).toEqual(rows);
    expect(undo({}).unawaited).toEqual([]);
    expect(undo({ '1': stands, '1:undelivered': { ...stands, purchased: -3 } }).unawaited).toEqual([]);
  });

  it('are not refunded twice when the charge is refunded', () => {
    const settled = undo({ '1': stands, '1:2': { ...stands, purchased: -1 } });
    expect(settled.entries).toMatchObject([{ price: { addresses: 2 }, payment: { purchased: 2 } }]);
    expect(settled.changed.get('a')).toEqual(funds({ purchased: 11 }));
  });

  it('leave nothing to refund after a full refund', () => {
    const one = charge('1', { waiting: waiting.slice(0, 1) });
    const settled = undo({ '1': payment, '1:0': { ...payment, purchased: -1 } }, one);
    expect(settled).toMatchObject({ entries: [], unawaited: rows.slice(0, 1) });
    expect(settled.changed.size).toBe(0);
  });
});
