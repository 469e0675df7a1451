import { LogThrottle } from './log-throttle.js';

it('lets one line a minute through', () => {
  let now = 0;
  const throttle = new LogThrottle(() => now);
  const passed: number[] = [];
  for (; now < 150_000; now += 1000) if (throttle.passes()) passed.push(now);
  expect(passed).toEqual([0, 60_000, 120_000]);
});
