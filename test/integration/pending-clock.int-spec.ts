import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { balanceOf, chargeOf, makeAccount, openTestBatcher } from './billing-support.js';
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

it('a charge is not refunded after a verdict, although its call knew of a check by a clock that was ahead', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000);
  const parts = pendingParts(database.dataSource);
  const payer = await makeAccount(database.dataSource, { purchased: 10 });
  await parts.endings.record(recorded(ADA, probeFacts(), { by: 'call', checkedAt: inAnHour }));
  const { checkedAt: newerThan } = (await parts.cache.findByHash([hash])).get(hash)!;
  const [added] = await parts.pending.addProbes([wanted(ADA, { newerThan })]);
  const { id } = added!;
  await parts.endings.record(recorded(ADA, probeFacts()));
  const price = { addresses: 1, credits: 1, unitPrice: 1 };
  const charge = chargeOf(payer, { price, waiting: [{ waitsOn: id, part: '0', credits: 1 }] });
  expect(await batcher.charge(charge, () => false)).toMatchObject({ kind: 'charged' });
  await parts.late.settle([id]);
  expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
  expect(await waitingOn(database.dataSource, id)).toBe(0);
});
