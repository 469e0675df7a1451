import { LocalAttemptCounters } from './local-attempt-counters.js';

function countersAt() {
  let now = 0;
  const counters = new LocalAttemptCounters(() => now);
  return { counters, pass: (ms: number) => void (now += ms) };
}
const NAMES = ['pair', 'network'];

it('counts tries up to the lowest limit, and says for how long there is none', async () => {
  const { counters, pass } = countersAt();
  for (let i = 0; i < 3; i++) expect(await counters.take(NAMES, [3, 5], 3600)).toBe(0);
  pass(60_000);
  expect(await counters.take(NAMES, [3, 5], 3600)).toBe(3540);
  expect(await counters.take(['other', 'network'], [3, 5], 3600)).toBe(0);
  expect(await counters.take(['third', 'network'], [3, 5], 3600)).toBe(0);
  expect(await counters.take(['fourth', 'network'], [3, 5], 3600)).toBe(3540);
  pass(3_540_000);
  expect(await counters.take(NAMES, [3, 5], 3600)).toBe(0);
});

it('forgets a try that is given back, and counts none below zero', async () => {
  const { counters } = countersAt();
  expect(await counters.take(NAMES, [1, 1], 3600)).toBe(0);
  await counters.giveBack(NAMES);
  await counters.giveBack(NAMES);
  expect(await counters.take(NAMES, [1, 1], 3600)).toBe(0);
  expect(await counters.take(NAMES, [1, 1], 3600)).toBe(3600);
});
