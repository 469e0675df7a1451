import { BoundedReading } from './bounded-reading.js';

describe('BoundedReading', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('reads once for all callers within seconds, then again', async () => {
    let asked = 0;
    const reading = new BoundedReading(async () => ++asked);
    expect(await Promise.all([reading.read(), reading.read()])).toEqual([1, 1]);
    jest.advanceTimersByTime(2900);
    expect(await reading.read()).toBe(1);
    jest.advanceTimersByTime(200);
    expect(await reading.read()).toBe(2);
  });

  it('is null if the read is too slow or fails', async () => {
    const silent = new BoundedReading(() => new Promise<number>(() => undefined)).read();
    await jest.advanceTimersByTimeAsync(1001);
    expect(await silent).toBeNull();
    expect(await new BoundedReading(() => Promise.reject(new Error('down'))).read()).toBeNull();
  });
});
