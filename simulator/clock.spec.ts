import { Clock, type Process } from './clock.js';

it('runs what happens in the order of time, and of making where the time is the same', () => {
  const clock = new Clock();
  const seen: string[] = [];
  for (const [ms, name] of [
    [30, 'c'],
    [10, 'a'],
    [30, 'd'],
    [20, 'b'],
  ] as const)
    clock.after(ms, () => seen.push(`${name}${clock.nowMs}`));
  clock.after(15, () => seen.push('never'))();
  clock.run();
  expect(seen).toEqual(['a10', 'b20', 'c30', 'd30']);
});

it('runs a process from wait to wait', () => {
  const clock = new Clock();
  const seen: number[] = [];
  function* process(): Process {
    for (let i = 0; i < 3; i += 1) {
      yield clock.sleep(5);
      seen.push(clock.nowMs);
    }
  }
  clock.start(process());
  clock.run();
  expect(seen).toEqual([5, 10, 15]);
});

it('keeps its order with many events', () => {
  const clock = new Clock();
  const seen: number[] = [];
  for (let i = 0; i < 1000; i += 1) clock.after((i * 7919) % 1000, () => seen.push(clock.nowMs));
  clock.run();
  expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  expect(seen).toHaveLength(1000);
});
