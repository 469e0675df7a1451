import { pause } from './pause.js';

describe('a pause', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([30 * 86_400_000, Number.MAX_SAFE_INTEGER])(
    'of %d ms, longer than a timer of Node, does not end at once',
    async (ms) => {
      let isOver = false;
      const stop = new AbortController();
      const pausing = pause(ms, stop.signal).then(() => (isOver = true));
      await jest.advanceTimersByTimeAsync(86_400_000);
      expect(isOver).toBe(false);
      stop.abort();
      await expect(pausing).rejects.toBe(stop.signal.reason);
    },
  );
});
