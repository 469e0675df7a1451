import { LedgerRepository } from '../../src/billing/ledger/ledger.repository.js';
import { WaitingChargesRepository } from '../../src/billing/pending-charges/waiting-charges.repository.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { newId } from '../../src/platform/ids/uuid.js';
import { OPERATOR_ENTITIES } from '../../src/roles/operator-entities.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { commitCutter, type CommitCutter, type CommitFate } from './billing-commit-cutter.js';
import {
  balanceOf,
  chargeOf,
  entriesOf,
  makeAccount,
  mismatches,
  openTestBatcher,
  tally,
  waitingOn,
} from './billing-support.js';

let database: MigratedDatabase;
let cutter: CommitCutter;
const batchers: { close(): Promise<void> }[] = [];
let fateOf: (commit: number) => CommitFate = () => 'pass';
beforeAll(async () => {
  database = await createMigratedDatabase();
  cutter = await commitCutter(database.target, (commit) => fateOf(commit));
});
afterEach(async () => {
  fateOf = () => 'pass';
  await Promise.all(batchers.splice(0).map((batcher) => batcher.close()));
});
afterAll(async () => {
  await cutter.close();
  await database.drop();
});

function batcherThroughCutter(options?: Parameters<typeof openTestBatcher>[1]) {
  const opened = openTestBatcher({ ...database.target, host: '127.0.0.1', port: cutter.port }, options);
  batchers.push(opened);
  return opened;
}
function firstOnly(fate: CommitFate): (commit: number) => CommitFate {
  const first = cutter.commits;
  return (commit) => (commit === first ? fate : 'pass');
}

it.each<[CommitFate, string]>([
  ['lose_answer', 'it is read back, and charged once'],
  ['lose_packet', 'it is charged anew'],
])('a COMMIT that is %s: %s', async (fate) => {
  const account = await makeAccount(database.dataSource, { purchased: 10 });
  const opened = batcherThroughCutter();
  fateOf = firstOnly(fate);
  const charge = chargeOf(account);
  const [first, second] = await Promise.all([
    opened.batcher.charge(charge, () => false),
    opened.batcher.charge(chargeOf(account), () => false),
  ]);
  await opened.close();
  expect([first.kind, second.kind]).toEqual(['charged', 'charged']);
  expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 8 });
  expect((await entriesOf(database.dataSource, account)).map(({ kind }) => kind)).toEqual([
    'grant',
    'charge',
    'charge',
  ]);
  expect(await mismatches(database.dataSource, account)).toEqual([]);
});

it.each<CommitFate>(['lose_answer', 'lose_packet'])('credits are granted once where the COMMIT is %s', async (fate) => {
  const account = await makeAccount(database.dataSource, { purchased: 10 });
  const target = { ...database.target, host: '127.0.0.1', port: cutter.port };
  const dataSource = await openDatabase(target, { entities: OPERATOR_ENTITIES });
  fateOf = firstOnly(fate);
  const grant = { accountId: account, credits: 5, kind: 'purchased', reference: `grant:${newId()}` } as const;
  const outcome = await new LedgerRepository(dataSource).grant(grant, 'operator:test');
  await dataSource.destroy();
  expect(outcome).toMatchObject({ kind: 'granted', funds: { purchased: 15 } });
  expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 15 });
  expect(await mismatches(database.dataSource, account)).toEqual([]);
});

it('a client that disconnects while the outcome is read back is not charged again', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10 });
  const opened = batcherThroughCutter();
  fateOf = firstOnly('lose_packet');
  const before = cutter.commits;
  const outcome = await opened.batcher.charge(chargeOf(account), () => cutter.commits > before);
  await opened.close();
  expect(outcome).toEqual({ kind: 'withdrawn' });
  expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 10 });
});

it('under load with every third COMMIT lost, each delivery is charged exactly once', async () => {
  const accounts = await Promise.all([60, 25].map((purchased) => makeAccount(database.dataSource, { purchased })));
  const opened = batcherThroughCutter();
  fateOf = (commit) => (commit % 3 === 0 ? 'lose_answer' : commit % 3 === 1 ? 'lose_packet' : 'pass');
  const charges = Array.from({ length: 120 }, (_, i) => chargeOf(accounts[i % 2]!));
  // A few at a time, so that there are many commits.
  const outcomes = await Promise.all(
    [0, 1, 2, 3].map(async (worker) => {
      const own = [];
      for (const charge of charges.filter((_, i) => i % 4 === worker))
        own.push(await opened.batcher.charge(charge, () => false));
      return own;
    }),
  );
  await opened.close();
  expect(tally(outcomes.flat())).toEqual({ charged: 85, insufficient: 35 });
  for (const account of accounts) {
    const references = (await entriesOf(database.dataSource, account)).map(({ reference }) => reference);
    expect(new Set(references).size).toBe(references.length);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 0 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  }
  expect(opened.troubles).toEqual([]);
});

it('a committed charge is refunded if its caller was told that it failed', async () => {
  const account = await makeAccount(database.dataSource, { purchased: 10 });
  const first = cutter.commits;
  // The first is carried out; no later one is, until the caller has been told.
  let told = false;
  fateOf = (commit) => (commit === first ? 'lose_answer' : told ? 'pass' : 'lose_packet');
  const opened = batcherThroughCutter({ maxWaitMs: 300 });
  await expect(opened.batcher.charge(chargeOf(account), () => false)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
  told = true;
  await opened.close();
  expect((await entriesOf(database.dataSource, account)).map(({ kind }) => kind)).toEqual([
    'grant',
    'charge',
    'refund',
  ]);
  expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 10 });
  expect(await mismatches(database.dataSource, account)).toEqual([]);
});

describe('parts that wait on a deferred probe', () => {
  /** A list of three addresses, of which two wait on a probe. */
  function listOn(account: string, probe: string) {
    const waiting = ['0', '2'].map((part) => ({ waitsOn: probe, part, credits: 1 }));
    return chargeOf(account, {
      reference: `batch:${newId()}`,
      price: { addresses: 3, credits: 3, unitPrice: 1 },
      waiting,
    });
  }
  const refund = (probe: string): Promise<number> =>
    database.dataSource.transaction('READ COMMITTED', (transaction) =>
      new WaitingChargesRepository(new LedgerRepository(database.dataSource)).refundWithin(transaction, probe),
    );

  it.each<CommitFate>(['lose_answer', 'lose_packet'])('are noted once with a charge of the fate %s', async (fate) => {
    const account = await makeAccount(database.dataSource, { purchased: 10 });
    const opened = batcherThroughCutter();
    fateOf = firstOnly(fate);
    const probe = newId();
    const charge = listOn(account, probe);
    expect(await opened.batcher.charge(charge, () => false)).toMatchObject({ kind: 'charged' });
    expect(await waitingOn(database.dataSource, probe)).toEqual([`${charge.reference}:0`, `${charge.reference}:2`]);
    expect(await refund(probe)).toBe(2);
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 9 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });

  it.each([
    ['goes back with the charge', false, ['undelivered']],
    ['is not given back twice where its probe ended before', true, ['0', '2', 'undelivered']],
  ])('of a charge whose caller was told that it failed: each %s', async (_, probeEnds, refunds) => {
    const account = await makeAccount(database.dataSource, { purchased: 10 });
    const probe = newId();
    const charge = listOn(account, probe);
    const first = cutter.commits;
    let told = false;
    fateOf = (commit) => (commit === first ? 'lose_answer' : told ? 'pass' : 'lose_packet');
    const opened = batcherThroughCutter({ maxWaitMs: 300 });
    await expect(opened.batcher.charge(charge, () => false)).rejects.toMatchObject({ code: 'service_unavailable' });
    if (probeEnds) expect(await refund(probe)).toBe(2);
    told = true;
    await opened.close();
    expect(await waitingOn(database.dataSource, probe)).toEqual([]);
    expect(await refund(probe)).toBe(0);
    const given = (await entriesOf(database.dataSource, account)).filter(({ kind }) => kind === 'refund');
    expect(given.map(({ reference }) => reference)).toEqual(refunds.map((part) => `${charge.reference}:${part}`));
    expect(await balanceOf(database.dataSource, account)).toMatchObject({ purchased: 10 });
    expect(await mismatches(database.dataSource, account)).toEqual([]);
  });
});
