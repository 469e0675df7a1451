import { Logger } from '@nestjs/common';
import type { KeyLookupRepository } from './key-lookup.repository.js';
import { KeyUsage } from './key-usage.js';

/** A usage whose writes the test begins itself. */
class Flushed extends KeyUsage {
  flush(): Promise<void> {
    return this.begin();
  }
}

function setUp(): { usage: Flushed; written: string[][]; clock: { now: number; fail: boolean } } {
  const written: string[][] = [];
  const clock = { now: 0, fail: false };
  const noteUse = async (ids: readonly string[]): Promise<void> => {
    if (clock.fail) throw new Error('database down');
    written.push([...ids]);
  };
  const usage = new Flushed({ noteUse } as unknown as KeyLookupRepository, () => clock.now);
  return { usage, written, clock };
}

describe('KeyUsage', () => {
  it('writes each key once a minute, however often it is used', async () => {
    const { usage, written, clock } = setUp();
    for (clock.now = 0; clock.now < 60_000; clock.now += 1000) {
      usage.touch('a');
      usage.touch('b');
      await usage.flush();
    }
    expect(written).toEqual([['a', 'b']]);
    usage.touch('a');
    await usage.flush();
    expect(written).toEqual([['a', 'b'], ['a']]);
  });

  it('writes nothing when no key was used', async () => {
    const { usage, written } = setUp();
    await usage.flush();
    expect(written).toEqual([]);
  });

  it('writes a bounded number of keys per statement', async () => {
    const { usage, written } = setUp();
    for (let index = 0; index < 700; index++) usage.touch(`key ${index}`);
    await usage.flush();
    await usage.flush();
    expect(written.map((ids) => ids.length)).toEqual([500, 200]);
  });

  it('logs a failed write and continues', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const { usage, written, clock } = setUp();
    clock.fail = true;
    usage.touch('a');
    await usage.flush();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn).toHaveBeenCalledWith(
      { err: new Error('database down') },
      'the last use of keys could not be recorded',
    );
    warn.mockRestore();
    clock.fail = false;
    clock.now = 60_000;
    usage.touch('a');
    await usage.flush();
    expect(written).toEqual([['a']]);
  });

  it('writes the remaining keys at shutdown and leaves no timer', async () => {
    jest.useFakeTimers();
    const { usage, written } = setUp();
    usage.onApplicationBootstrap();
    usage.touch('a');
    usage.onModuleDestroy();
    await usage.beforeApplicationShutdown();
    expect(written).toEqual([['a']]);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('writes periodically once started', async () => {
    jest.useFakeTimers();
    const { usage, written } = setUp();
    usage.onApplicationBootstrap();
    usage.touch('a');
    await jest.advanceTimersByTimeAsync(5000);
    expect(written).toEqual([['a']]);
    usage.onModuleDestroy();
    await usage.beforeApplicationShutdown();
    jest.useRealTimers();
  });
});
