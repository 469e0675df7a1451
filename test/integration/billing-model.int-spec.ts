import fc from 'fast-check';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { AuditPointsRepository } from '../../src/billing/ledger/audit-points.repository.js';
import { LedgerAuditRepository } from '../../src/billing/ledger/ledger-audit.repository.js';
import { LedgerClosingRepository } from '../../src/billing/ledger/ledger-closing.repository.js';
import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { WaitingChargesRepository } from '../../src/billing/pending-charges/waiting-charges.repository.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import {
  balanceOf,
  chargeOf,
  makeAccount,
  mismatches,
  openTestBatcher,
  setTestClock,
  TEST_CLOCK,
  waitingOn,
} from './billing-support.js';

const PER_MONTH = 5;
const PROBES = 3;

type Command =
  | { readonly kind: 'grant'; readonly to: 'purchased' | 'gifted'; readonly credits: number }
  | {
      readonly kind: 'charge';
      readonly unit: 1 | 3;
      readonly addresses: number;
      /** Of the same call that are not delivered. */
      readonly beyond: number;
      readonly within: boolean;
      /** On which probe each of its addresses waits, in turn; a batcher's charge only. */
      readonly probes: readonly number[];
      /** Its caller has hung up before any probe of it began; a batcher's charge only. */
      readonly gone: boolean;
    }
  | { readonly kind: 'refund'; readonly which: number; readonly again: boolean }
  | { readonly kind: 'probe_ends'; readonly probe: number; readonly verdict: boolean }
  | { readonly kind: 'month' }
  | { readonly kind: 'close' };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant('grant' as const),
    to: fc.constantFrom('purchased' as const, 'gifted' as const),
    credits: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constant('charge' as const),
    unit: fc.constantFrom(1 as const, 3 as const),
    addresses: fc.integer({ min: 1, max: 4 }),
    beyond: fc.constantFrom(0, 0, 1, 3),
    within: fc.boolean(),
    probes: fc.constant([]),
    gone: fc.constant(false),
  }),
  fc.record({
    kind: fc.constant('charge' as const),
    unit: fc.constantFrom(1 as const, 3 as const),
    addresses: fc.integer({ min: 1, max: 4 }),
    beyond: fc.constantFrom(0, 0, 1, 3),
    within: fc.constant(false),
    probes: fc.array(fc.nat(PROBES - 1), { maxLength: 4 }),
    gone: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  }),
  fc.record({ kind: fc.constant('refund' as const), which: fc.nat(30), again: fc.boolean() }),
  fc.record({ kind: fc.constant('probe_ends' as const), probe: fc.nat(PROBES - 1), verdict: fc.boolean() }),
  fc.constant({ kind: 'month' as const }),
  fc.constant({ kind: 'close' as const }),
);

interface PaidAddress {
  readonly reference: string;
  readonly part: string;
  readonly unit: number;
  /** From where each of its credits came; or the month whose allowance paid. */
  coins: ('purchased' | 'gifted')[] | number;
  readonly probe: number | null;
}

/** The contract in the plainest words: coins in two purses, and a count per month. */
class Model {
  purses = { purchased: 0, gifted: 0 };
  used = new Map<number, number>();
  months = 0;
  paid: PaidAddress[] = [];
  lastRefund: PaidAddress | null = null;
  /** Addresses that wait, by their probe. */
  waiting = new Map<number, PaidAddress[]>();

  get month(): number {
    const index = 2026 * 12 + 9 + this.months;
    return Math.floor(index / 12) * 100 + (index % 12) + 1;
  }
  get usedNow(): number {
    return this.used.get(this.month) ?? 0;
  }

  charge(reference: string, { unit, addresses, beyond, probes, gone }: Command & { kind: 'charge' }): boolean {
    if (gone) return false;
    const isFree = this.usedNow + addresses + beyond <= PER_MONTH;
    if (!isFree && this.purses.purchased + this.purses.gifted < unit * addresses) return false;
    if (isFree) this.used.set(this.month, this.usedNow + addresses);
    for (let i = 0; i < addresses; i++) {
      const coins = isFree ? this.month : this.take(unit);
      const address: PaidAddress = { reference, part: String(i), unit, coins, probe: probes[i] ?? null };
      this.paid.push(address);
      if (address.probe !== null) this.waiting.set(address.probe, [...this.waitingOn(address.probe), address]);
    }
    return true;
  }

  private take(credits: number): ('purchased' | 'gifted')[] {
    return Array.from({ length: credits }, () => {
      const purse = this.purses.gifted > 0 ? 'gifted' : 'purchased';
      this.purses[purse]--;
      return purse;
    });
  }

  waitingOn(probe: number): PaidAddress[] {
    return this.waiting.get(probe) ?? [];
  }

  probeEnds(probe: number, verdict: boolean): number {
    const owed = this.waitingOn(probe).filter((address) => this.paid.includes(address));
    this.waiting.delete(probe);
    if (!verdict) owed.forEach((address) => this.refundAddress(address));
    return verdict ? 0 : owed.length;
  }

  refund(which: number): PaidAddress | null {
    const chosen = this.paid[which % Math.max(1, this.paid.length)];
    if (chosen === undefined) return null;
    this.refundAddress(chosen);
    this.lastRefund = chosen;
    return chosen;
  }

  /** Addresses of a charge are given back in any order, its coins are not: those that were spent last go first. */
  private refundAddress(address: PaidAddress): void {
    const last = this.paid.findLast(({ reference }) => reference === address.reference)!;
    const { coins } = last;
    last.coins = address.coins;
    this.paid = this.paid.filter((each) => each !== address);
    if (typeof coins === 'number') this.used.set(coins, (this.used.get(coins) ?? 0) - 1);
    else for (const purse of coins) this.purses[purse]++;
  }
}

let database: MigratedDatabase;
let batcher: ChargeBatcher;
let opened: ReturnType<typeof openTestBatcher>;
beforeAll(async () => {
  database = await createMigratedDatabase();
  await setTestClock(database.dataSource, '2026-10-15 12:00:00');
  opened = openTestBatcher(database.target, { now: TEST_CLOCK });
  ({ batcher } = opened);
});
afterAll(async () => {
  await opened.close();
  await database.drop();
});

async function moveClock(model: Model): Promise<void> {
  const text = String(model.month);
  await setTestClock(database.dataSource, `${text.slice(0, 4)}-${text.slice(4)}-15 12:00:00`);
}

async function chargeForReal(
  account: string,
  reference: string,
  { unit, addresses, beyond, within, probes, gone }: Command & { kind: 'charge' },
  probeIds: readonly string[],
) {
  const price = { addresses, credits: unit * addresses, unitPrice: unit, ofCall: addresses + beyond };
  const waiting = probes
    .slice(0, addresses)
    .map((probe, i) => ({ waitsOn: probeIds[probe]!, part: String(i), credits: unit }));
  const charge = chargeOf(account, { reference, price, freeVerifiesPerMonth: PER_MONTH, waiting });
  if (!within) return (await batcher.charge(charge, () => gone)).kind === 'charged';
  const ledger = new LedgerRepository(database.dataSource, TEST_CLOCK);
  const settlement = await database.dataSource.transaction((transaction) => ledger.chargeWithin(transaction, charge));
  return settlement.kind === 'paid';
}

async function refundForReal(address: PaidAddress): Promise<void> {
  const ledger = new LedgerRepository(database.dataSource, TEST_CLOCK);
  await database.dataSource.transaction((transaction) =>
    ledger.refundWithin(transaction, address.reference, [{ part: address.part, credits: address.unit }]),
  );
}

/** @returns how many parts were given back */
function endForReal(probe: string, verdict: boolean): Promise<number> {
  const waiting = new WaitingChargesRepository(new LedgerRepository(database.dataSource, TEST_CLOCK));
  return database.dataSource.transaction('READ COMMITTED', async (transaction) => {
    if (!verdict) return waiting.refundWithin(transaction, probe);
    await waiting.forgetWithin(transaction, probe);
    return 0;
  });
}

async function runCommand(each: Command, model: Model, account: string, probeIds: readonly string[]): Promise<void> {
  const ledger = new LedgerRepository(database.dataSource, TEST_CLOCK);
  switch (each.kind) {
    case 'grant':
      model.purses[each.to] += each.credits;
      await ledger.grant(
        { accountId: account, credits: each.credits, kind: each.to, reference: `grant:${newId()}` },
        'test',
      );
      break;
    case 'charge': {
      const reference = `single:${newId()}`;
      expect(await chargeForReal(account, reference, each, probeIds)).toBe(model.charge(reference, each));
      break;
    }
    case 'refund': {
      const address = each.again ? model.lastRefund : model.refund(each.which);
      if (address !== null) await refundForReal(address);
      break;
    }
    case 'probe_ends': {
      const { probe, verdict } = each;
      expect(await endForReal(probeIds[probe]!, verdict)).toBe(model.probeEnds(probe, verdict));
      break;
    }
    case 'month':
      model.months++;
      await moveClock(model);
      break;
    case 'close': {
      const closings = new LedgerClosingRepository(database.dataSource, TEST_CLOCK);
      await closings.close(account, await closings.lastMonth());
      break;
    }
  }
}

it('any sequence of grants, charges, refunds, ended probes and months matches a simple model after every step', async () => {
  const audit = new LedgerAuditRepository(database.dataSource);
  const points = new AuditPointsRepository(database.dataSource);
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 1, maxLength: 30 }), async (commands) => {
      const model = new Model();
      await moveClock(model);
      const account = await makeAccount(database.dataSource, {}, TEST_CLOCK);
      const probeIds = Array.from({ length: PROBES }, newId);
      for (const [step, each] of commands.entries()) {
        await runCommand(each, model, account, probeIds);
        const kept = await balanceOf(database.dataSource, account);
        const used = kept['month'] === model.month ? kept['free_verifies_used'] : 0;
        expect([kept['purchased'] ?? 0, kept['gifted'] ?? 0, used ?? 0]).toEqual([
          model.purses.purchased,
          model.purses.gifted,
          model.usedNow,
        ]);
        for (const [probe, id] of probeIds.entries()) {
          const parts = model.waitingOn(probe).map(({ reference, part }) => `${reference}:${part}`);
          expect(await waitingOn(database.dataSource, id)).toEqual(parts.toSorted());
        }
        expect(await mismatches(database.dataSource, account)).toEqual([]);
        expect((await audit.page({ account }, 'last closing')).mismatches).toEqual([]);
        // Every second step audits, so that points are of several ages.
        const daily = await audit.page({ account }, 'last audit');
        expect(daily.mismatches).toEqual([]);
        if (step % 2 === 0) await points.keep(daily.points);
      }
    }),
    { numRuns: Number(process.env['BILLING_MODEL_RUNS'] ?? 25) },
  );
});
