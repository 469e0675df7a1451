import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { balanceOf, chargeOf, makeAccount, mismatches, openTestBatcher } from './billing-support.js';
import { addressOf, pendingParts, probeFacts, recorded, VAULT, waitingOn, wanted } from './pending-support.js';

const ADA = 'ada@example.com';
const hash = VAULT.hash(addressOf(ADA));

let database: MigratedDatabase;
let batcher: ChargeBatcher;
let closeBatcher: () => Promise<void>;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const opened = openTestBatcher(database.target);
  batcher = opened.batcher;
  closeBatcher = () => opened.close();
});
afterAll(async () => {
  await closeBatcher?.();
  await database?.drop();
});

/** A call of its account that is charged and waits. */
async function charge(payer: string, waitsOn: string): Promise<void> {
  const price = { addresses: 1, credits: 1, unitPrice: 1 };
  const call = chargeOf(payer, { price, waiting: [{ waitsOn, part: '0', credits: 1 }] });
  expect(await batcher.charge(call, () => false)).toMatchObject({ kind: 'charged' });
}

it('a charge is not refunded after a verdict, although its call knew of a check by a clock that was ahead', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000);
  const parts = pendingParts(database.dataSource);
  const payer = await makeAccount(database.dataSource, { purchased: 10 });
  await parts.endings.record(recorded(ADA, probeFacts(), { by: 'call', checkedAt: inAnHour }));
  const { checkedAt: newerThan } = (await parts.cache.findByHash([hash])).get(hash)!;
  const [added] = await parts.pending.addProbes([wanted(ADA, { newerThan })]);
  const { id } = added!;
  await parts.endings.record(recorded(ADA, probeFacts()));
  await charge(payer, id);
  await parts.late.settle([id]);
  expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
  expect(await waitingOn(database.dataSource, id)).toBe(0);
});

it('a charge after an ending that kept no facts has its probe go on, and is refunded where another one is pending', async () => {
  const parts = pendingParts(database.dataSource);
  const payer = await makeAccount(database.dataSource, { purchased: 10 });
  const [spared, replaced] = ['eve@example.com', 'bob@example.com'];
  const ids: string[] = [];
  for (const text of [spared, replaced]) {
    ids.push((await parts.pending.addProbes([wanted(text)]))[0]!.id);
    await parts.endings.record(recorded(text, null));
  }
  await parts.pending.addProbes([wanted(replaced)]);
  for (const id of ids) await charge(payer, id);
  await parts.late.settle(ids);
  expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
  expect(await Promise.all(ids.map((id) => waitingOn(database.dataSource, id)))).toEqual([1, 0]);
  const attempt = await parts.turns.findAttempt(VAULT.hash(addressOf(spared)));
  expect(attempt).toMatchObject({ id: ids[0], email: spared, dueInMs: 0 });
  expect(await parts.reconciliation.takeDue(10)).toMatchObject([{ hash: attempt!.hash }]);
  await parts.endings.record(recorded(spared, null));
  expect(await waitingOn(database.dataSource, ids[0]!)).toBe(0);
  expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
  expect(await mismatches(database.dataSource, payer)).toEqual([]);
});

it('a charge of a probe whose row is gone has its verdict, and waits no longer', async () => {
  const parts = pendingParts(database.dataSource);
  const payer = await makeAccount(database.dataSource, { purchased: 10 });
  const id = newId();
  await charge(payer, id);
  await parts.late.settle([id]);
  expect(await waitingOn(database.dataSource, id)).toBe(0);
  expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
});
