import { getEventListeners } from 'node:events';
import { Deadline } from '../../deadline.js';
import { partOf } from './part-of-deadline.js';

describe('partOf', () => {
  let whole: Deadline;
  beforeEach(() => {
    whole = Deadline.after(10_000);
  });
  afterEach(() => whole.release());

  it('ends with the whole, and has as long as it', () => {
    const part = partOf(whole);
    expect(part.deadline.remainingMs()).toBeGreaterThan(9_000);
    whole.cancel();
    expect(part.deadline.expired).toBe(true);
    part.release();
  });

  it('ends before it where it is cancelled', () => {
    const part = partOf(whole);
    part.deadline.cancel();
    expect([part.deadline.expired, whole.expired]).toEqual([true, false]);
    part.release();
  });

  it('is over where the whole is', () => {
    whole.cancel();
    const part = partOf(whole);
    expect(part.deadline.expired).toBe(true);
    part.release();
  });

  it('leaves no listener behind', () => {
    partOf(whole).release();
    expect(getEventListeners(whole.signal, 'abort')).toEqual([]);
  });
});
