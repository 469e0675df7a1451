import { getEventListeners } from 'node:events';
import { withDeadline } from './stoppable-deadline.js';

describe('work with a deadline', () => {
  it('is cancelled when the process stops or is already stopping', async () => {
    const stop = new AbortController();
    const states = await withDeadline(60_000, stop.signal, async (deadline) => {
      const before = deadline.expired;
      stop.abort();
      return [before, deadline.expired, deadline.signal.aborted];
    });
    expect(states).toEqual([false, true, true]);
    expect(await withDeadline(60_000, stop.signal, async ({ expired }) => expired)).toBe(true);
  });

  it('leaves no listener behind, whether it succeeds or fails', async () => {
    const { signal } = new AbortController();
    expect(await withDeadline(60_000, signal, async () => 'done')).toBe('done');
    await expect(withDeadline(60_000, signal, () => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
