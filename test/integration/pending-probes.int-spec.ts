import { Logger } from '@nestjs/common';
import { createConnection } from 'mysql2/promise';
import type { ChargeBatcher } from '../../src/billing/charging/charge-batcher.js';
import { idFromBytes } from '../../src/platform/ids/uuid.js';
import { createMigratedDatabase, type MigratedDatabase } from '../support/migrated-database.js';
import { waitUntil } from '../support/wait-until.js';
import { balanceOf, chargeOf, entriesOf, makeAccount, mismatches, openTestBatcher } from './billing-support.js';
import {
  addressOf,
  GREYLISTED,
  MOVED_CLOCK,
  moveClock,
  pendingParts,
  pendingRows,
  probeFacts,
  recorded,
  VAULT,
  waitingOn,
  wanted,
} from './pending-support.js';
import type { CachedCheck } from '../../src/verify/cache/cached-check.js';

Logger.overrideLogger(false);

let database: MigratedDatabase;
let batcher: ChargeBatcher;
let closeBatcher: () => Promise<void>;
let parts: ReturnType<typeof pendingParts>;

beforeAll(async () => {
  database = await createMigratedDatabase();
  const opened = openTestBatcher(database.target);
  batcher = opened.batcher;
  closeBatcher = () => opened.close();
});
beforeEach(async () => {
  for (const table of ['pending_probes', 'waiting_charges', 'failed_jobs', 'cached_checks', 'catch_all_domains']) {
    await database.dataSource.query(`DELETE FROM ${table}`);
  }
  await moveClock(database.dataSource, 0);
  parts = pendingParts(database.dataSource, MOVED_CLOCK);
});
afterAll(async () => {
  await closeBatcher?.();
  await database?.drop();
});

const ADA = 'ada@example.com';
const rows = () => pendingRows(database.dataSource);
const add = async (text: string, more: Parameters<typeof wanted>[1] = {}) => {
  const [added] = await parts.pending.addProbes([wanted(text, more)]);
  return added!.id;
};
/** A call of its account that is charged and waits. */
const charge = async (account: string, waitsOn: string, credits = 1) => {
  const price = { addresses: 1, credits, unitPrice: credits };
  const waiting = [{ waitsOn, part: '0', credits }];
  const outcome = await batcher.charge(chargeOf(account, { price, waiting }), () => false);
  expect(outcome.kind).toBe('charged');
};
const account = () => makeAccount(database.dataSource, { purchased: 10 });
const failedJobs = () =>
  database.dataSource.query<{ queue: string; job_id: string; why: string; details: unknown }[]>(
    'SELECT queue, job_id, why, details FROM failed_jobs',
  );

/** Locks the row of an address, on a connection that may be silent. @returns ends it */
const holdRow = async (hash: string): Promise<() => Promise<void>> => {
  const connection = await createConnection(database.url);
  await connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED');
  await connection.beginTransaction();
  await connection.query('SELECT id FROM pending_probes WHERE address_hmac = ? FOR UPDATE', [Buffer.from(hash, 'hex')]);
  return async () => {
    await connection.rollback();
    await connection.end();
  };
};

describe('adding pending probes', () => {
  it('keeps one per address, with the deeper mode and the higher urgency', async () => {
    const [first, other, again] = await parts.pending.addProbes([wanted(ADA), wanted('bob@example.com'), wanted(ADA)]);
    expect(again).toEqual(first);
    expect(other?.id).not.toBe(first?.id);
    expect(await add(ADA, { mode: 'enhanced' })).toBe(first?.id);
    expect(await add(ADA, { urgency: 'single' })).toBe(first?.id);
    expect(await add(ADA)).toBe(first?.id);
    const [ada, bob] = (await rows()).toSorted((a, b) => b.askers - a.askers);
    expect(ada).toMatchObject({ mode: 'enhanced', urgency: 'single', state: 'due', askers: 4, begun: 0 });
    expect(bob).toMatchObject({ mode: 'standard', urgency: 'batch', askers: 1 });
  });

  it('adds one for concurrent calls', async () => {
    const texts = Array.from({ length: 100 }, (_, i) => `user-${i}@example.com`);
    const calls = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        parts.pending.addProbes((i % 2 === 0 ? texts : texts.toReversed()).map((text) => wanted(text))),
      ),
    );
    const ids = calls.map((added) => added.map(({ id }) => id).toSorted());
    expect(new Set(ids.map((each) => each.join()))).toHaveProperty('size', 1);
    expect(await rows()).toHaveLength(100);
    expect(calls[1]?.map(({ hash }) => hash)).toEqual(texts.toReversed().map((text) => VAULT.hash(addressOf(text))));
  });

  it('stores no readable address', async () => {
    await add('quite.legible@example.com');
    const dump = JSON.stringify(
      await database.dataSource.query('SELECT *, CAST(sealed_address AS char) FROM pending_probes'),
    );
    expect(dump).not.toContain('legible');
    expect(Buffer.concat((await rows()).map((row) => row.sealed_address!)).toString('latin1')).not.toContain('legible');
  });

  it('finds it while it runs, and for a minute after an ending without a verdict', async () => {
    const id = await add(ADA);
    const hash = VAULT.hash(addressOf(ADA));
    const kind = async () => (await parts.pending.findStates([hash, 'f'.repeat(64)])).get(hash)?.kind;
    expect(await parts.pending.findStates([hash])).toEqual(
      new Map([[hash, { id, hash, kind: 'due', egress: null, dueInMs: 0 }]]),
    );
    await parts.endings.record(recorded(ADA, GREYLISTED));
    const greylisted = (await parts.pending.findStates([hash])).get(hash);
    expect(greylisted).toMatchObject({ kind: 'greylisted', egress: GREYLISTED.egress });
    expect(Math.abs(greylisted!.dueInMs - 840_000)).toBeLessThan(60_001);
    expect(await parts.endings.fail(id, 'for a test')).toBe(true);
    expect(await kind()).toBe('failed');
    await moveClock(database.dataSource, 59);
    expect(await kind()).toBe('failed');
    await moveClock(database.dataSource, 61);
    expect(await kind()).toBeUndefined();
    const next = await add(ADA);
    expect(next).not.toBe(id);
    await parts.endings.fail(next, 'for a test');
    const third = await add(ADA);
    expect((await parts.pending.findStates([hash])).get(hash)).toMatchObject({ id: third, kind: 'due' });
  });
});

describe('an unpaid call', () => {
  it('drops probes that only it requested', async () => {
    const mine = await add(ADA);
    await parts.pending.dropUnpaid([mine, mine]);
    expect(await rows()).toEqual([]);
  });

  it('keeps probes that others requested, that charges wait for, or that have begun', async () => {
    const shared = await add(ADA);
    await add(ADA);
    const begun = await add('bob@example.com');
    await parts.turns.beginAttempt({ id: begun, mode: 'standard', state: 'due' });
    const charged = await add('carol@example.com');
    await charge(await account(), charged);
    await parts.pending.dropUnpaid([shared, begun, charged]);
    expect((await rows()).map(({ id }) => idFromBytes(id)).toSorted()).toEqual([shared, begun, charged].toSorted());
    await parts.pending.dropUnpaid([shared]);
    expect(await rows()).toHaveLength(2);
  });
});

describe('a turn', () => {
  const hash = VAULT.hash(addressOf(ADA));

  it('has the stored facts of its address, and those of its domain that were found since the request', async () => {
    await add(ADA);
    expect(await parts.turns.findAttempt(hash)).toMatchObject({ email: ADA, lastCheckedAt: null, catchAll: false });
    const checkedAt = new Date(Date.now() - 60_000);
    const check = recorded(ADA, probeFacts({ random: 'accepted' }), { mode: 'enhanced', checkedAt });
    await parts.endings.record(check);
    expect(await parts.turns.findAttempt(hash)).toBeNull();
    await add(ADA);
    expect(await parts.turns.findAttempt(hash)).toMatchObject({ lastCheckedAt: checkedAt, catchAll: false });
    const ofBob = recorded('bob@example.com', probeFacts({ random: 'accepted' }), { mode: 'enhanced', by: 'call' });
    await parts.endings.record({ ...ofBob, checkedAt: new Date(Date.now() + 1000) });
    expect(await parts.turns.findAttempt(hash)).toMatchObject({ lastCheckedAt: checkedAt, catchAll: true });
  });

  it('does not count if it began and asked no mail host', async () => {
    const id = await add(ADA);
    const begun = async () => (await parts.turns.findAttempt(hash))?.begun;
    for (let times = 1; times <= 2; times++) {
      expect(await parts.turns.beginAttempt({ id, mode: 'standard', state: 'due' })).toBe(true);
    }
    await parts.turns.cancelAttempt(id);
    expect(await begun()).toBe(1);
    await parts.turns.cancelAttempt(id);
    await parts.turns.cancelAttempt(id);
    expect(await begun()).toBe(0);
  });
});

describe('a synchronous check', () => {
  const call = { by: 'call' } as const;

  it('is stored with or without a pending probe, and ends an existing one', async () => {
    const bob = 'bob@example.com';
    const id = await add(ADA);
    const payer = await account();
    await charge(payer, id);
    expect(await parts.endings.record(recorded(bob, probeFacts(), call))).toEqual({
      transition: { kind: 'none' },
      stored: true,
    });
    expect(await parts.endings.record(recorded(ADA, probeFacts(), call))).toEqual({
      transition: { kind: 'ended' },
      stored: true,
    });
    expect([await rows(), await waitingOn(database.dataSource, id)]).toEqual([[], 0]);
    const hashes = [ADA, bob].map((text) => VAULT.hash(addressOf(text)));
    expect((await parts.cache.findByHash(hashes)).size).toBe(2);
  });

  it('is stored with others that end at the same moment, in one statement', async () => {
    const id = await add(ADA);
    const many = [ADA, ...Array.from({ length: 20 }, (_, i) => `many${i}@example.com`)];
    const storing = jest.spyOn(parts.cache, 'storing');
    const records = await Promise.all(many.map((text) => parts.endings.record(recorded(text, probeFacts(), call))));
    expect(records.map(({ transition }) => transition.kind)).toEqual(['ended', ...Array<string>(20).fill('none')]);
    expect(storing.mock.calls.map(([checks]) => checks.length)).toEqual([many.length, 1]);
    expect((await parts.cache.findByHash(many.map((text) => VAULT.hash(addressOf(text))))).size).toBe(many.length);
    expect(await waitingOn(database.dataSource, id)).toBe(0);
  });
});

describe('a check with a verdict', () => {
  it('ends the probe, is cached, and leaves no waiting charge', async () => {
    const id = await add(ADA);
    const payer = await account();
    await charge(payer, id);
    expect(await waitingOn(database.dataSource, id)).toBe(1);
    const outcome = await parts.endings.record(recorded(ADA, probeFacts()));
    expect(outcome).toEqual({ transition: { kind: 'ended' }, stored: true });
    expect(await rows()).toEqual([]);
    expect(await waitingOn(database.dataSource, id)).toBe(0);
    const hash = VAULT.hash(addressOf(ADA));
    expect((await parts.cache.findByHash([hash])).get(hash)).toMatchObject({
      depth: 'standard',
      domain: 'example.com',
    });
    expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 9 });
  });

  it('stores what it shows about the domain', async () => {
    const knows = async () => (await parts.catchAll.findCatchAlls(['example.com'])).has('example.com');
    const enhanced = { mode: 'enhanced' } as const;
    await parts.endings.record(recorded(ADA, probeFacts({ random: 'accepted' }), enhanced));
    expect(await knows()).toBe(true);
    await parts.endings.record(recorded(ADA, probeFacts({ random: 'refused' }), enhanced));
    expect(await knows()).toBe(false);
  });

  it('keeps a probe with a deeper mode, and its waiting charges', async () => {
    const id = await add(ADA, { mode: 'enhanced' });
    const payer = await account();
    await charge(payer, id, 3);
    const call = recorded(ADA, probeFacts(), { by: 'call' });
    expect((await parts.endings.record(call)).transition).toEqual({ kind: 'kept' });
    expect(await waitingOn(database.dataSource, id)).toBe(1);
    expect((await parts.endings.record({ ...call, mode: 'enhanced' })).transition).toEqual({ kind: 'ended' });
    expect(await rows()).toEqual([]);
  });

  it('is recorded once by each concurrent call', async () => {
    await add(ADA);
    const fates = await Promise.all(
      Array.from({ length: 10 }, () => parts.endings.record(recorded(ADA, probeFacts(), { by: 'call' }))),
    );
    expect(fates.map(({ transition }) => transition.kind).toSorted()).toEqual([
      'ended',
      ...Array<string>(9).fill('none'),
    ]);
  });
});

describe('many turns that end at the same time', () => {
  const many = Array.from({ length: 20 }, (_, i) => `many${i}@example.com`);
  let worker: ReturnType<typeof pendingParts>;
  beforeEach(() => {
    worker = pendingParts(database.dataSource, MOVED_CLOCK, database.target);
  });
  afterEach(() => worker.plain?.onApplicationShutdown());
  const endAll = (added: readonly { id: string }[]) =>
    Promise.all(many.map((text, i) => worker.endings.record(recorded(text, probeFacts(), { probeId: added[i]!.id }))));

  it('are cached, are over, and leave no waiting charges', async () => {
    const added = await worker.pending.addProbes(many.map((text) => wanted(text)));
    const payer = await makeAccount(database.dataSource, { purchased: many.length });
    for (const { id } of added) await charge(payer, id);
    const [kept] = await worker.pending.addProbes([wanted('kept@example.com')]);
    await charge(await account(), kept!.id);
    const outcomes = await endAll(added);
    expect(outcomes).toEqual(many.map(() => ({ transition: { kind: 'ended' }, stored: true })));
    expect(await rows()).toHaveLength(1);
    expect((await worker.cache.findByHash(added.map(({ hash }) => hash))).size).toBe(many.length);
    const waits = await Promise.all([...added, kept!].map(({ id }) => waitingOn(database.dataSource, id)));
    expect(waits).toEqual([...many.map(() => 0), 1]);
  });

  it('keep a probe with a deeper mode, and its waiting charges', async () => {
    const added = await worker.pending.addProbes(many.map((text) => wanted(text)));
    await worker.pending.addProbes([wanted(many[3]!, { mode: 'enhanced' })]);
    await charge(await account(), added[3]!.id);
    const outcomes = await endAll(added);
    expect(outcomes.map(({ transition }) => transition.kind)).toEqual(many.map((_, i) => (i === 3 ? 'kept' : 'ended')));
    expect(await rows()).toMatchObject([{ mode: 'enhanced', active: 1 }]);
    expect(await waitingOn(database.dataSource, added[3]!.id)).toBe(1);
  });

  it('are not delayed by a locked row', async () => {
    const added = await worker.pending.addProbes(many.map((text) => wanted(text)));
    const release = await holdRow(added[0]!.hash);
    const ending = endAll(added);
    const othersAreOver = async () => (await rows()).length === 1;
    expect(await waitUntil(othersAreOver, { ms: 60_000 })).toBe(true);
    await release();
    expect((await ending).map(({ transition }) => transition.kind)).toEqual(many.map(() => 'ended'));
    expect(await rows()).toEqual([]);
  });
});

describe('a greylisted check', () => {
  it('keeps the probe for a retry through the same egress, and settles the waiting charges', async () => {
    const id = await add(ADA);
    await charge(await account(), id);
    const { transition } = await parts.endings.record(recorded(ADA, GREYLISTED));
    expect(transition).toMatchObject({ kind: 'retry', afterMs: 900_000 });
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'greylisted', egress: 'direct/mx.example.net', begun: 0 });
    expect(row!.due_at.getTime() - Date.now()).toBeGreaterThan(800_000);
    expect(row!.end_by.getTime() - row!.due_at.getTime()).toBe(3_600_000);
    expect(await waitingOn(database.dataSource, id)).toBe(0);
    expect(await parts.turns.beginAttempt({ id, mode: 'standard', state: 'greylisted' })).toBe(false);
    await moveClock(database.dataSource, 901);
    expect(await parts.turns.beginAttempt({ id, mode: 'standard', state: 'greylisted' })).toBe(true);
    expect((await parts.endings.record(recorded(ADA, GREYLISTED, { by: 'retry' }))).transition.kind).toBe('ended');
    expect(await rows()).toEqual([]);
  });

  it('adds a probe after a synchronous check', async () => {
    await parts.endings.record(recorded(ADA, GREYLISTED, { by: 'call', mode: 'enhanced' }));
    expect(await rows()).toMatchObject([{ state: 'greylisted', mode: 'enhanced', egress: 'direct/mx.example.net' }]);
    expect(await parts.turns.findAttempt(VAULT.hash(addressOf(ADA)))).toMatchObject({ email: ADA });
  });
});

describe('a call that was cut short', () => {
  const slow = probeFacts({ stage: 'greeting', ending: 'timeout', code: null, class: null });
  const cut = recorded(ADA, slow, { by: 'call', deadlinePassed: true });

  it('continues in the worker, without waiting charges', async () => {
    expect((await parts.endings.record(cut)).transition).toEqual({ kind: 'goes_on' });
    expect(await rows()).toMatchObject([{ state: 'due', mode: 'standard', askers: 1 }]);
    expect((await parts.endings.record({ ...cut, mode: 'enhanced' })).transition).toEqual({ kind: 'goes_on' });
    expect(await rows()).toMatchObject([{ state: 'due', mode: 'enhanced' }]);
  });

  it('keeps a due probe, and its waiting charges', async () => {
    const id = await add(ADA);
    await charge(await account(), id);
    await parts.endings.record(cut);
    expect(await rows()).toHaveLength(1);
    expect(await waitingOn(database.dataSource, id)).toBe(1);
  });
});

describe('an ending without a verdict', () => {
  it('refunds its waiting charges, deletes the address, and is recorded', async () => {
    const id = await add(ADA);
    const payers = [await account(), await account(), await account()];
    for (const payer of payers) await charge(payer, id, 3);
    await charge(payers[0]!, id);
    expect(await parts.endings.fail(id, 'our egress failed')).toBe(true);
    expect(await parts.endings.fail(id, 'a second time')).toBe(false);
    for (const payer of payers) {
      expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 10 });
      expect(await mismatches(database.dataSource, payer)).toEqual([]);
    }
    expect(await entriesOf(database.dataSource, payers[0]!)).toHaveLength(5);
    expect(await rows()).toMatchObject([
      { active: null, state: 'failed', sealed_address: null, why: 'our egress failed' },
    ]);
    expect(await failedJobs()).toEqual([
      {
        queue: 'smtp-probe',
        job_id: `probe-${VAULT.hash(addressOf(ADA))}`,
        why: 'our egress failed',
        details: expect.anything(),
      },
    ]);
    expect(JSON.stringify(await failedJobs())).not.toMatch(/\bada\b/);
  });

  it('stays without a verdict even if a cached check would have answered', async () => {
    const id = await add(ADA);
    await parts.endings.fail(id, 'for a test');
    await charge(await account(), id);
    const answer = {} as CachedCheck;
    await parts.endings.settle(id, answer);
    expect(await waitingOn(database.dataSource, id)).toBe(1);
    const other = await add(ADA);
    await charge(await account(), other);
    await parts.endings.settle(other, answer);
    expect(await waitingOn(database.dataSource, other)).toBe(0);
    expect(await rows()).toMatchObject([{ state: 'failed' }]);
  });

  it('happens once for concurrent processes', async () => {
    const id = await add(ADA);
    const payer = await account();
    await charge(payer, id);
    const endings = await Promise.all([
      ...Array.from({ length: 5 }, () => parts.endings.fail(id, 'for a test')),
      parts.endings.record(recorded(ADA, probeFacts())).then(({ transition }) => transition.kind === 'ended'),
    ]);
    expect(endings.filter(Boolean)).toHaveLength(1);
    expect(await waitingOn(database.dataSource, id)).toBe(0);
    expect(await mismatches(database.dataSource, payer)).toEqual([]);
  });
});

describe('reconciliation', () => {
  it('is due ten seconds after a probe was added or queued, and not while it is postponed', async () => {
    const id = await add(ADA);
    const due = async () => (await parts.reconciliation.takeDue(10)).length;
    expect(await due()).toBe(0);
    await moveClock(database.dataSource, 11);
    expect(await due()).toBe(1);
    expect(await due()).toBe(0);
    await parts.turns.postpone(id, { afterMs: 60_000, failed: true });
    await moveClock(database.dataSource, 11 + 65);
    expect(await due()).toBe(0);
    await moveClock(database.dataSource, 11 + 71);
    expect(await due()).toBe(1);
    expect(await rows()).toMatchObject([{ failures: 1 }]);
  });

  it('ends a probe an hour after its request', async () => {
    const id = await add(ADA);
    await moveClock(database.dataSource, 3599);
    expect(await parts.reconciliation.overdue(10)).toEqual([]);
    await moveClock(database.dataSource, 3600);
    expect(await parts.reconciliation.overdue(10)).toEqual([id]);
  });

  it('refunds charges that came after an ending without a verdict, and drops those after a verdict', async () => {
    const payer = await account();
    const [failed, settled, open] = [await add(ADA), await add('bob@example.com'), await add('carol@example.com')];
    await parts.endings.fail(failed, 'for a test');
    await parts.endings.record(recorded('bob@example.com', probeFacts()));
    for (const id of [failed, settled, open]) await charge(payer, id);
    expect(await parts.reconciliation.settleLate(10, null)).toBeNull();
    expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 7 });
    await moveClock(database.dataSource, 61);
    // Page by page.
    for (let after: string | null = null, pages = 0; pages < 4; pages++) {
      after = await parts.reconciliation.settleLate(1, after);
    }
    expect(await balanceOf(database.dataSource, payer)).toMatchObject({ purchased: 8 });
    expect(await Promise.all([failed, settled, open].map((id) => waitingOn(database.dataSource, id)))).toEqual([
      0, 0, 1,
    ]);
    expect(await mismatches(database.dataSource, payer)).toEqual([]);
  });

  it('keeps the address for a minute, for calls that asked for the probe and are not charged yet', async () => {
    const [failed, settled, charged] = [await add(ADA), await add('bob@example.com'), await add('carol@example.com')];
    await charge(await account(), charged);
    await parts.endings.fail(failed, 'for a test');
    for (const text of ['bob@example.com', 'carol@example.com']) {
      await parts.endings.record(recorded(text, probeFacts()));
    }
    const kept = async () => {
      const found = await database.dataSource.query<{ id: Buffer; sealed_address: Buffer | null }[]>(
        'SELECT id, sealed_address FROM pending_probes',
      );
      return Object.fromEntries(found.map(({ id, sealed_address }) => [idFromBytes(id), sealed_address !== null]));
    };
    expect(await parts.reconciliation.deleteEnded(10)).toBe(0);
    expect(await kept()).toEqual({ [failed]: true, [settled]: true });
    await moveClock(database.dataSource, 61);
    expect(await parts.reconciliation.deleteEnded(10)).toBe(1);
    expect(await kept()).toEqual({ [failed]: false });
  });

  it('deletes the row an hour after an ending without a verdict, once no charge waits', async () => {
    const [one, other] = [await add(ADA), await add('bob@example.com')];
    await parts.endings.fail(one, 'for a test');
    await parts.endings.fail(other, 'for a test');
    await charge(await account(), other);
    await moveClock(database.dataSource, 3500);
    expect(await parts.reconciliation.deleteEnded(10)).toBe(0);
    await moveClock(database.dataSource, 3700);
    expect(await parts.reconciliation.deleteEnded(10)).toBe(1);
    await parts.reconciliation.settleLate(10, null);
    expect(await parts.reconciliation.deleteEnded(10)).toBe(1);
    expect(await rows()).toEqual([]);
  });
});
