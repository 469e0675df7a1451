import { setImmediate as nextTurn } from 'node:timers/promises';
import { plan } from '../../test/factories/plan.js';
import type { Caller } from './caller.js';
import { CallerDirectory } from './caller-directory.js';
import type { KeyInForce, KeyLookupRepository } from './key-lookup.repository.js';

const PLAN = plan();
const CALLER: Caller = { accountId: 'account', keyId: 'key', mode: 'live', plan: PLAN };

/** A directory over a table that the test changes, on a clock that the test moves. Reads are answered by hand. */
function setUp(): {
  directory: CallerDirectory;
  table: Map<string, KeyInForce>;
  reads: string[][];
  clock: { now: number };
  hold: (this: void, until: Promise<unknown>) => void;
} {
  const table = new Map<string, KeyInForce>([['known', { caller: CALLER, remainingMs: null }]]);
  const reads: string[][] = [];
  const clock = { now: 0 };
  let held: Promise<unknown> = Promise.resolve();
  const findInForce = async (hashes: readonly string[]): Promise<ReadonlyMap<string, KeyInForce>> => {
    reads.push([...hashes]);
    const snapshot = new Map([...table].filter(([hash]) => hashes.includes(hash)));
    await held;
    return snapshot;
  };
  const directory = new CallerDirectory({ findInForce } as unknown as KeyLookupRepository, () => clock.now);
  return {
    directory,
    table,
    reads,
    clock,
    hold: (until) => {
      held = until;
    },
  };
}

describe('CallerDirectory', () => {
  it('reads a key once and caches it for a few seconds', async () => {
    const { directory, reads, clock } = setUp();
    expect(await directory.find('known')).toBe(CALLER);
    clock.now = 3999;
    expect(await directory.find('known')).toBe(CALLER);
    expect(reads).toEqual([['known']]);
  });

  it('returns a cached caller synchronously, and nothing for an unknown key', async () => {
    const { directory, clock } = setUp();
    expect(directory.remembered('known')).toBeUndefined();
    await directory.find('known');
    await directory.find('invented');
    expect(directory.remembered('known')).toBe(CALLER);
    expect(directory.remembered('invented')).toBeUndefined();
    clock.now = 4000;
    expect(directory.remembered('known')).toBeUndefined();
  });

  it('serves a revoked key for less than 5 seconds', async () => {
    const { directory, table, clock } = setUp();
    await directory.find('known');
    table.delete('known');
    clock.now = 4000;
    expect(await directory.find('known')).toBeNull();
  });

  it('counts the cache time from the start of the read', async () => {
    const { directory, table, clock, hold } = setUp();
    let release = (): void => undefined;
    hold(new Promise<void>((resolve) => (release = resolve)));
    const finding = directory.find('known');
    await nextTurn();
    table.delete('known');
    clock.now = 1500;
    hold(Promise.resolve());
    release();
    expect(await finding).toBe(CALLER);
    clock.now = 4000;
    expect(await directory.find('known')).toBeNull();
  });

  it('serves no key past its expiry', async () => {
    const { directory, table, clock } = setUp();
    table.set('known', { caller: CALLER, remainingMs: 700 });
    await directory.find('known');
    table.delete('known');
    clock.now = 699;
    expect(await directory.find('known')).toBe(CALLER);
    clock.now = 700;
    expect(await directory.find('known')).toBeNull();
  });

  it('caches an unknown key for a shorter time', async () => {
    const { directory, table, reads, clock } = setUp();
    expect(await directory.find('other')).toBeNull();
    table.set('other', { caller: CALLER, remainingMs: null });
    clock.now = 1999;
    expect(await directory.find('other')).toBeNull();
    expect(reads).toHaveLength(1);
    clock.now = 2000;
    expect(await directory.find('other')).toBe(CALLER);
  });

  it('keeps a valid key cached, however many invented keys come', async () => {
    const { directory, reads } = setUp();
    await directory.find('known');
    for (let round = 0; round < 25; round++) {
      await Promise.all(Array.from({ length: 1000 }, (_, index) => directory.find(`invented ${round} ${index}`)));
    }
    const before = reads.length;
    expect(await directory.find('known')).toBe(CALLER);
    expect(reads).toHaveLength(before);
  });

  it('reads a key once for all concurrent callers', async () => {
    const { directory, reads } = setUp();
    const callers = await Promise.all(Array.from({ length: 50 }, () => directory.find('known')));
    expect(new Set(callers)).toEqual(new Set([CALLER]));
    expect(reads).toEqual([['known']]);
  });

  it('joins the read of a key that is under way', async () => {
    const { directory, reads } = setUp();
    const first = directory.find('known');
    await nextTurn();
    expect(await Promise.all([first, directory.find('known')])).toEqual([CALLER, CALLER]);
    expect(reads).toEqual([['known']]);
  });

  it('reads one batch at a time and collects callers for the next', async () => {
    const { directory, reads, hold } = setUp();
    let release = (): void => undefined;
    hold(new Promise<void>((resolve) => (release = resolve)));
    const first = directory.find('key');
    await nextTurn();
    const findings = Array.from({ length: 150 }, (_, index) => directory.find(`key ${index}`));
    expect(reads.map((read) => read.length)).toEqual([1]);
    release();
    await Promise.all([first, ...findings]);
    expect(reads.map((read) => read.length)).toEqual([1, 100, 50]);
  });

  it('throws service_unavailable when the database fails, and reads again for the next caller', async () => {
    const { directory, table, hold } = setUp();
    hold(Promise.reject(new Error('connect ECONNREFUSED')));
    const findings = [directory.find('known'), directory.find('other')];
    for (const finding of findings) {
      await expect(finding).rejects.toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
    }
    hold(Promise.resolve());
    expect(await directory.find('known')).toBe(table.get('known')?.caller);
  });

  it('refuses a caller when a thousand already wait', async () => {
    const { directory, hold } = setUp();
    let release = (): void => undefined;
    hold(new Promise<void>((resolve) => (release = resolve)));
    const findings = Array.from({ length: 1000 }, (_, index) => directory.find(`key ${index}`));
    for (let i = 0; i < 1000; i++) findings.push(directory.find('key 7'));
    await expect(directory.find('one more')).rejects.toMatchObject({ code: 'service_unavailable' });
    release();
    await Promise.all(findings);
  });

  describe('while the database does not answer', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['performance'] }));
    afterEach(() => jest.useRealTimers());

    it('gives up after 2 seconds for all callers', async () => {
      const { directory, hold } = setUp();
      hold(new Promise(() => undefined));
      const settled = Promise.allSettled([directory.find('known'), directory.find('other')]);
      await jest.advanceTimersByTimeAsync(1999);
      let ended = false;
      void settled.then(() => (ended = true));
      await jest.advanceTimersByTimeAsync(0);
      expect(ended).toBe(false);
      await jest.advanceTimersByTimeAsync(2);
      expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      expect(jest.getTimerCount()).toBe(0);
    });
  });
});
