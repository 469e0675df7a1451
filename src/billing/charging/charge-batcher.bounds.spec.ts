import timers, { setImmediate as nextTurn } from 'node:timers/promises';
import { batcherWith, charge, CHARGED } from '../../../test/factories/charge-batcher.js';
import { only } from '../../../test/factories/only.js';
import type { PacketConnection } from '../../platform/database/packet-connection.js';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { newId } from '../../platform/ids/uuid.js';
import { NotCharged } from './charge.js';
import { ChargeRepository } from './charge.repository.js';

const NEVER = (): boolean => false;
const MEGABYTE = 1024 * 1024;
/** Why a charge failed; null: it did not. */
const causeOf = (charging: Promise<unknown>): Promise<unknown> =>
  charging.then(
    () => null,
    ({ cause }: Error) => cause,
  );

describe('a group', () => {
  const answer = (octets: number) => {
    const body = Buffer.alloc(octets);
    return { recordId: 1, lease: Buffer.alloc(16), status: 200, headers: null, body };
  };

  it('holds stored answers of 4 MiB at most', async () => {
    const { batcher, fast } = batcherWith();
    await Promise.all(['a1', 'b1', 'c1'].map((name) => batcher.charge(charge(name, answer(2 * MEGABYTE)), NEVER)));
    expect(fast.groups).toEqual(['a1 b1', 'c1']);
  });

  it('holds 4,096 rows of waiting parts at most', async () => {
    const { batcher, fast } = batcherWith();
    const waiting = Array.from({ length: 2048 }, (_, i) => ({ waitsOn: 'p', part: String(i), credits: 1 }));
    await Promise.all(['a1', 'b1', 'c1'].map((name) => batcher.charge({ ...charge(name), waiting }, NEVER)));
    expect(fast.groups).toEqual(['a1 b1', 'c1']);
  });
});

it('the charges of locked accounts count as waiting, too', async () => {
  const { batcher, fast, slow } = batcherWith();
  fast.answer = () => ({ kind: 'held' });
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const store = slow.charge.bind(slow);
  slow.charge = async (attempts) => released.then(() => store(attempts));
  const waiting = Array.from({ length: 10_000 }, (_, i) => batcher.charge(charge(`a${i}`), NEVER));
  // Each of them is passed over three times.
  while (fast.groups.length < Math.ceil((3 * 10_000) / 256)) await nextTurn();
  await nextTurn();
  // The slow one has a group of at most 256 outside of its queue.
  const more = Array.from({ length: 300 }, (_, i) => batcher.charge(charge(`b${i}`), NEVER));
  const last = causeOf(more.at(-1)!);
  release();
  await Promise.allSettled([...waiting, ...more]);
  expect(await last).toBeInstanceOf(NotCharged);
});

it('a client that disconnects while its COMMIT is read back gets its outcome', async () => {
  const { batcher, fast, slow } = batcherWith();
  fast.answer = () => {
    throw new CommitUnknown(new Error('read ECONNRESET'));
  };
  slow.answer = () => CHARGED;
  expect(await batcher.charge(charge('a1'), () => fast.groups.length > 0)).toBe(CHARGED);
  expect(slow.groups).toEqual(['a1?-withdraw']);
});

describe('while the database is away', () => {
  const LOST = Object.assign(new Error('read ECONNRESET'), { fatal: true });
  let now = 0;
  let paused: number[] = [];
  beforeEach(() => {
    [now, paused] = [0, []];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => void paused.push(ms!));
  });
  afterEach(() => jest.restoreAllMocks());

  /** A batcher whose first COMMIT is lost, and then so many connections, each after so long. */
  const losing = (connections: number, ms = 0) => {
    const { fast, slow, ...rest } = batcherWith();
    let left = connections;
    fast.answer = () => {
      throw new CommitUnknown(LOST);
    };
    slow.answer = ({ intent }) => {
      now += ms;
      if (left-- > 0) throw LOST;
      return intent === 'undo' ? { kind: 'withdrawn' } : CHARGED;
    };
    return { ...rest, fast, slow };
  };

  it('asks less and less often for the outcome of a COMMIT, and pauses no more when it is back', async () => {
    const { batcher, slow } = losing(8);
    for (const name of ['a1', 'a2']) expect(await batcher.charge(charge(name), NEVER)).toBe(CHARGED);
    expect(slow.groups).toHaveLength(10);
    expect(paused).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000]);
  });

  it('tries for a quarter of an hour to refund a charge that may be committed, and then reports it', async () => {
    const minutes = 60_000;
    const patient = losing(4, 4 * minutes);
    await expect(patient.batcher.charge(charge('a1'), NEVER)).rejects.toMatchObject({ code: 'service_unavailable' });
    // A process that stops gives up earlier.
    while (patient.troubles.length === 0 && patient.slow.groups.length < 5) await nextTurn();
    expect(patient.troubles).toEqual(['a charge that may be committed could not be refunded: a1']);
    const early = losing(3, 4 * minutes);
    await expect(early.batcher.charge(charge('a1'), NEVER)).rejects.toMatchObject({ code: 'service_unavailable' });
    while (early.slow.groups.length < 4) await nextTurn();
    await early.batcher.close();
    expect([early.slow.groups.at(-1), early.troubles]).toEqual(['a1?-undo', []]);
  });

  it('does not keep a process that stops', async () => {
    const { batcher, slow, troubles } = losing(Number.POSITIVE_INFINITY);
    const cause = causeOf(batcher.charge(charge('a1'), NEVER));
    while (slow.groups.length < 3) await nextTurn();
    await batcher.close();
    expect(await cause).toBe(LOST);
    expect(troubles).toEqual(['a charge that may be committed could not be refunded: a1']);
  });

  it('reports a refund that the database refuses', async () => {
    const { batcher, slow, troubles } = losing(0);
    slow.answer = ({ intent }) => {
      now += 20_000;
      throw intent === 'undo' ? Object.assign(new Error('out of range'), { errno: 1264, sqlState: '22003' }) : LOST;
    };
    await expect(batcher.charge(charge('a1'), NEVER)).rejects.toMatchObject({ code: 'service_unavailable' });
    await batcher.close();
    expect(slow.groups).toEqual(['a1?', 'a1?-undo']);
    expect(troubles).toEqual(['a charge that may be committed could not be refunded: a1']);
  });

  it('tries once more to insert a missing balance row', async () => {
    const { batcher, fast, slow } = batcherWith();
    fast.answer = () => (slow.added.length === 0 ? { kind: 'held' } : CHARGED);
    slow.answer = () => ({ kind: 'held' });
    const insert = slow.addMissingBalances.bind(slow);
    slow.addMissingBalances = async (ids) => {
      await insert(ids);
      throw LOST;
    };
    expect(await batcher.charge(charge('a1'), NEVER)).toBe(CHARGED);
  });
});

it.each([
  ['shuts down', 1053, 'ER_SERVER_SHUTDOWN', true],
  ['has become read-only', 1290, 'ER_OPTION_PREVENTS_STATEMENT', true],
  ['lets another node win', 1213, 'ER_LOCK_DEADLOCK', false],
])('a COMMIT refused by a server that %s', async (_, errno, code, mayStand) => {
  const refusal = Object.assign(new Error('refused'), { errno, code, sqlState: 'HY000' });
  const send = async (statements: readonly { readonly sql: string }[]): Promise<unknown[]> => {
    if (statements.at(-1)?.sql === 'COMMIT') throw refusal;
    return [undefined, [{ month: 202611 }], []];
  };
  const connection = only<PacketConnection>({ send, drop: () => undefined });
  const store = new ChargeRepository(connection, { whenHeld: 'skip', answerHours: 24 });
  const attempt = { charge: { ...charge('a1'), accountId: newId() }, mayStand: false, intent: 'charge' } as const;
  const error: unknown = await store.charge([attempt]).catch((thrown: unknown) => thrown);
  expect(error instanceof CommitUnknown).toBe(mayStand);
  if (!mayStand) expect(error).toBe(refusal);
});
