import { setImmediate as nextTurn } from 'node:timers/promises';
import { batcherWith, charge, CHARGED, results } from '../../../test/factories/charge-batcher.js';
import { CommitUnknown } from '../../platform/database/retried-transaction.js';
import { NotCharged, type ChargeOutcome } from './charge.js';

/** The clock advances only by what stores take, so that a busy machine never makes a charge time out. */
let now = 0;
beforeEach(() => {
  now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

type Stores = ReturnType<typeof batcherWith>;
const LOST = Object.assign(new Error('read ECONNRESET'), { fatal: true });
const refused = (errno: number) => Object.assign(new Error('refused'), { errno, sqlState: 'HY000' });

/** The connection breaks between COMMIT and its reply, and the database stays away. */
const loseTheCommit = ({ fast, slow }: Pick<Stores, 'fast' | 'slow'>) => {
  fast.answer = () => {
    throw new CommitUnknown(LOST);
  };
  slow.answer = () => {
    now += 60;
    throw LOST;
  };
};

/** A store that replies when the test tells it to. */
const held = () => {
  let answer!: () => void;
  const told = new Promise<void>((resolve) => (answer = resolve));
  return { told, answer };
};

describe('the charge batcher', () => {
  it('batches the charges that wait when the last transaction ends, and takes accounts in turn', async () => {
    const { batcher, fast } = batcherWith();
    const first = batcher.charge(charge('a1'), () => false);
    await nextTurn();
    const rest = ['a2', 'a3', 'b1'].map((name) => batcher.charge(charge(name), () => false));
    await Promise.all([first, ...rest]);
    expect(fast.groups).toEqual(['a1', 'a2 b1 a3']);
  });

  it('runs one transaction at a time, with at most 256 charges', async () => {
    const { run, fast } = batcherWith();
    await run(...Array.from({ length: 600 }, (_, i) => `a${i}`));
    expect(fast.groups.map((group) => group.split(' ').length)).toEqual([256, 256, 88]);
  });

  it('splits a failing group until the faulty charge is alone, and charges the others', async () => {
    const { run, fast } = batcherWith();
    fast.answer = (_, group) => {
      if (group.some((each) => each.charge.reference === 'b2')) throw refused(1264);
      return CHARGED;
    };
    const settled = await run('a1', 'b1', 'b2', 'c1', 'd1');
    expect(results(settled)).toBe('charged charged thrown charged charged');
  });

  it('looks up a reference that exists already', async () => {
    const { run, fast } = batcherWith();
    fast.answer = ({ mayStand, charge: { reference } }) => {
      if (reference === 'a1' && !mayStand) throw refused(1062);
      return CHARGED;
    };
    expect(results(await run('a1', 'b1'))).toBe('charged charged');
    expect(fast.groups).toEqual(['a1 b1', 'a1', 'a1?', 'b1']);
  });

  it('tries a locked account three times, then passes it to the slow batcher', async () => {
    const { run, fast, slow } = batcherWith();
    fast.answer = ({ charge: { accountId } }) => (accountId === 'a' ? { kind: 'held' } : CHARGED);
    expect(results(await run('a1', 'b1', 'a2'))).toBe('charged charged charged');
    expect(fast.groups).toEqual(['a1 b1 a2', 'a1 a2', 'a1 a2']);
    expect(slow.groups).toEqual(['a1 a2']);
  });

  it('creates a missing balance row', async () => {
    const { run, fast, slow } = batcherWith();
    fast.answer = () => ({ kind: 'held' });
    slow.answer = () => (slow.added.length === 0 ? { kind: 'held' } : CHARGED);
    expect(results(await run('a1', 'a2'))).toBe('charged charged');
    expect(slow.added).toEqual(['a']);
  });

  it('refuses a charge of a deleted account, which has no balance row even after an insert', async () => {
    const { fast, slow, troubles, run } = batcherWith();
    fast.answer = () => ({ kind: 'held' });
    slow.answer = () => ({ kind: 'held' });
    const [outcome] = await run('a1');
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'service_unavailable' } });
    expect([slow.added, slow.groups, troubles]).toEqual([['a'], ['a1', 'a1'], []]);
  });

  it("splits the slow batcher's group after a lock timeout, so that only the locked account waits", async () => {
    const { run, fast, slow } = batcherWith({ maxWaitMs: 300 });
    fast.answer = () => ({ kind: 'held' });
    slow.answer = (_, group) => {
      if (!group.some((each) => each.charge.accountId === 'a')) return CHARGED;
      now += 100;
      throw refused(1205);
    };
    expect(results(await run('a1', 'a2', 'b1', 'c1'))).toBe('service_unavailable service_unavailable charged charged');
  });

  it('charges nothing for a client that has disconnected', async () => {
    const { batcher, fast } = batcherWith();
    expect(await batcher.charge(charge('a1'), () => true)).toEqual({ kind: 'withdrawn' });
    expect(fast.groups).toEqual([]);
  });
});

describe('when the database is lost', () => {
  it('retries once on a new connection', async () => {
    const { run, fast } = batcherWith();
    fast.answer = () => {
      if (fast.groups.length === 1) throw LOST;
      return CHARGED;
    };
    expect(results(await run('a1', 'b1'))).toBe('charged charged');
    expect(fast.groups).toEqual(['a1 b1', 'a1 b1']);
  });

  it('fails at once if the database is still down', async () => {
    const { run, fast, slow } = batcherWith();
    fast.answer = () => {
      throw LOST;
    };
    expect(results(await run('a1', 'b1'))).toBe('service_unavailable service_unavailable');
    expect([fast.groups, slow.groups]).toEqual([['a1 b1', 'a1 b1'], []]);
  });

  it('reads back the outcome of a COMMIT before it answers', async () => {
    const { run, fast, slow } = batcherWith();
    fast.answer = () => {
      throw new CommitUnknown(LOST);
    };
    slow.answer = () => {
      if (slow.groups.length === 1) throw LOST;
      return CHARGED;
    };
    expect(results(await run('a1', 'b1'))).toBe('charged charged');
    expect(slow.groups).toEqual(['a1? b1?', 'a1? b1?']);
  });

  it('refunds a committed charge whose caller was told that it failed', async () => {
    const { run, fast, slow, batcher, troubles } = batcherWith({ maxWaitMs: 100 });
    let back = false;
    fast.answer = () => {
      throw new CommitUnknown(LOST);
    };
    slow.answer = ({ intent }) => {
      now += 60;
      if (!back) throw LOST;
      return intent === 'undo' ? { kind: 'withdrawn' } : CHARGED;
    };
    expect(results(await run('a1'))).toBe('service_unavailable');
    back = true;
    await batcher.close();
    expect(slow.groups.at(-1)).toBe('a1?-undo');
    expect(troubles).toEqual([]);
  });

  it('keeps a charge whose answer is stored for a retry', async () => {
    const { batcher, fast, slow } = batcherWith({ maxWaitMs: 100 });
    loseTheCommit({ fast, slow });
    const answer = { recordId: 1, lease: Buffer.of(), status: 200, headers: null, body: Buffer.of() };
    await expect(batcher.charge(charge('a1', answer), () => false)).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    await batcher.close();
    expect(slow.groups.join(' ')).not.toContain('undo');
  });

  it('gives up in the end and logs what it could not refund', async () => {
    const { run, fast, slow, batcher, troubles } = batcherWith({ maxWaitMs: 100 });
    loseTheCommit({ fast, slow });
    expect(results(await run('a1'))).toBe('service_unavailable');
    await batcher.close();
    expect(troubles).toEqual(['a charge that may be committed could not be refunded: a1']);
  });
});

describe('why a charge failed', () => {
  const causeOf = async (charging: Promise<ChargeOutcome>) =>
    charging.then(
      () => null,
      (error: Error) => error.cause,
    );

  it('is that nothing was charged, when the database was lost before the commit or others held the account', async () => {
    const { batcher, fast, slow } = batcherWith({ maxWaitMs: 100 });
    fast.answer = () => {
      throw LOST;
    };
    expect(await causeOf(batcher.charge(charge('a1'), () => false))).toBeInstanceOf(NotCharged);
    fast.answer = () => ({ kind: 'held' });
    slow.answer = () => {
      now += 200;
      throw refused(1205);
    };
    expect(await causeOf(batcher.charge(charge('b1'), () => false))).toBeInstanceOf(NotCharged);
    await batcher.close();
  });

  it('is that nothing was charged, when too many wait', async () => {
    const { batcher, fast } = batcherWith();
    const store = fast.charge.bind(fast);
    const { told, answer } = held();
    fast.charge = async (attempts) => told.then(() => store(attempts));
    const waiting = Array.from({ length: 10_000 }, (_, i) => batcher.charge(charge(`a${i}`), () => false));
    expect(await causeOf(batcher.charge(charge('b1'), () => false))).toBeInstanceOf(NotCharged);
    answer();
    await Promise.all(waiting);
  });

  it('is unknown when the commit may stand', async () => {
    const { batcher, fast, slow } = batcherWith({ maxWaitMs: 100 });
    loseTheCommit({ fast, slow });
    expect(await causeOf(batcher.charge(charge('a1'), () => false))).not.toBeInstanceOf(NotCharged);
    await batcher.close();
  });
});

describe('a caller that stops waiting', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] }));
  afterEach(() => jest.useRealTimers());

  const settled = async (promise: Promise<ChargeOutcome>) => results(await Promise.allSettled([promise]));

  it('is refused in time, and the running charge is refunded', async () => {
    const { batcher, fast, slow, troubles } = batcherWith();
    const { told, answer } = held();
    const store = fast.charge.bind(fast);
    fast.charge = async (attempts) => {
      const outcomes = await store(attempts);
      await told;
      return outcomes;
    };
    slow.answer = () => ({ kind: 'withdrawn' });
    const charging = settled(batcher.charge(charge('a1'), () => false, 5000));
    while (fast.groups.length === 0) await nextTurn();
    jest.advanceTimersByTime(5000);
    expect(await charging).toBe('service_unavailable');
    answer();
    await batcher.close();
    expect([fast.groups, slow.groups, troubles]).toEqual([['a1'], ['a1?-undo'], []]);
  });

  it('keeps its running charge if the answer is stored for a retry', async () => {
    const { batcher, fast, slow } = batcherWith();
    const { told, answer } = held();
    const store = fast.charge.bind(fast);
    const isRunning = jest.fn();
    fast.charge = async (attempts) => {
      isRunning();
      await told;
      return store(attempts);
    };
    const answerKept = { recordId: 1, lease: Buffer.alloc(16), status: 200, headers: null, body: Buffer.from('{}') };
    const charging = settled(batcher.charge(charge('a1', answerKept), () => false, 5000));
    while (isRunning.mock.calls.length === 0) await nextTurn();
    jest.advanceTimersByTime(5000);
    expect(await charging).toBe('service_unavailable');
    answer();
    await batcher.close();
    expect([fast.groups, slow.groups]).toEqual([['a1'], []]);
  });

  it('is not charged if the charge never left the queue', async () => {
    const { batcher, fast, slow } = batcherWith();
    fast.answer = ({ charge: { accountId } }) => (accountId === 'a' ? { kind: 'held' } : CHARGED);
    const { told, answer } = held();
    const store = slow.charge.bind(slow);
    slow.charge = async (attempts) => {
      await told;
      return store(attempts);
    };
    const first = batcher.charge(charge('a1'), () => false);
    while (slow.groups.length + fast.groups.length < 3) await nextTurn();
    const charging = settled(batcher.charge(charge('a2'), () => false, 5000));
    jest.advanceTimersByTime(5000);
    expect(await charging).toBe('service_unavailable');
    answer();
    await first;
    await batcher.close();
    expect(slow.groups).toEqual(['a1']);
  });

  it('keeps a charge that comes in time, and leaves no timer', async () => {
    const { batcher } = batcherWith();
    expect(await settled(batcher.charge(charge('a1'), () => false, 5000))).toBe('charged');
    expect(jest.getTimerCount()).toBe(0);
  });
});
