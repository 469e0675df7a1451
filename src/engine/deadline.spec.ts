import { getEventListeners } from 'node:events';
import { Deadline } from './deadline.js';

const made: Deadline[] = [];
const kept = (deadline: Deadline): Deadline => {
  made.push(deadline);
  return deadline;
};
const after = (ms: number): Deadline => kept(Deadline.after(ms));

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  for (const deadline of made.splice(0)) deadline.release();
  jest.useRealTimers();
});

describe('a deadline', () => {
  it('returns the time left, at least zero, and whether it has expired', () => {
    const deadline = after(1000);
    jest.advanceTimersByTime(400);
    expect([deadline.remainingMs(), deadline.capMs(100), deadline.capMs(5000), deadline.expired]).toEqual([
      600,
      100,
      600,
      false,
    ]);
    jest.advanceTimersByTime(601);
    expect([deadline.remainingMs(), deadline.capMs(100), deadline.expired]).toEqual([0, 0, true]);
  });

  it('creates no timer until somebody reads its signal', () => {
    const deadline = after(1000);
    expect(deadline.expired).toBe(false);
    expect(jest.getTimerCount()).toBe(0);
    expect(deadline.signal).toBe(deadline.signal);
    expect(jest.getTimerCount()).toBe(1);
  });

  it('aborts the signal at the time counted from its creation, however late it is read', () => {
    const deadline = after(1000);
    jest.advanceTimersByTime(700);
    const { signal } = deadline;
    jest.advanceTimersByTime(299);
    expect(signal.aborted).toBe(false);
    jest.advanceTimersByTime(2);
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toEqual(new Error('the deadline has passed'));
  });

  it('never aborts early by a fraction of a millisecond', () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const deadline = after(1000);
    jest.spyOn(performance, 'now').mockReturnValueOnce(performance.now() + 0.75);
    void deadline.signal;
    expect(timers.mock.lastCall?.[1]).toBe(1000);
    jest.restoreAllMocks();
  });

  it('is expired when it aborts, even if the timer fires a fraction of a millisecond early', () => {
    const deadline = after(1000);
    const told: boolean[] = [];
    deadline.signal.addEventListener('abort', () => told.push(deadline.expired));
    const early = performance.now() + 999.4;
    jest.spyOn(performance, 'now').mockReturnValue(early);
    jest.advanceTimersByTime(1000);
    expect(told).toEqual([true]);
    jest.restoreAllMocks();
  });

  it('returns an aborted signal after it has passed', () => {
    const deadline = after(1000);
    jest.advanceTimersByTime(1001);
    expect(deadline.signal.aborted).toBe(true);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('is cancelled for a reason, %s somebody listens', (_, early) => {
    const deadline = after(1000);
    if (early) void deadline.signal;
    const why = new Error('the caller is gone');
    deadline.cancel(why);
    expect(deadline.expired).toBe(true);
    expect(deadline.signal.reason).toBe(why);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never aborts after its release', () => {
    const [listenedTo, later] = [after(1000), after(1000)];
    const { signal } = listenedTo;
    listenedTo.release();
    later.release();
    expect(jest.getTimerCount()).toBe(0);
    jest.advanceTimersByTime(2000);
    expect([signal.aborted, later.signal.aborted, later.expired]).toEqual([false, false, true]);
  });
});

describe('a part of a deadline', () => {
  it('ends with the whole deadline and has the same time left', () => {
    const whole = after(10_000);
    jest.advanceTimersByTime(4000);
    const part = kept(whole.part());
    expect(part.remainingMs()).toBe(6000);
    whole.cancel();
    expect([part.expired, part.signal.aborted]).toEqual([true, true]);
  });

  it('aborts with the reason for which the whole deadline was cancelled', () => {
    const whole = after(10_000);
    const part = kept(whole.part());
    const { signal } = part;
    const why = new Error('the process stops');
    whole.cancel(why);
    expect([signal.aborted, signal.reason]).toEqual([true, why]);
  });

  it('ends earlier if it is cancelled itself', () => {
    const whole = after(10_000);
    const part = kept(whole.part());
    part.cancel();
    expect([part.expired, whole.expired, whole.signal.aborted]).toEqual([true, false, false]);
  });

  it('is expired if the whole deadline is', () => {
    const whole = after(10_000);
    whole.cancel();
    const part = kept(whole.part());
    expect([part.expired, part.signal.aborted]).toEqual([true, true]);
  });

  it.each(['release', 'cancel'] as const)('leaves no listener behind after %s', (end) => {
    const whole = after(10_000);
    const part = kept(whole.part());
    void part.signal;
    expect(getEventListeners(whole.signal, 'abort')).toHaveLength(1);
    part[end]();
    expect(getEventListeners(whole.signal, 'abort')).toEqual([]);
  });
});
