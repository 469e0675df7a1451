import { joinResults, RESULTS_TOGETHER, rowOf, splitResults } from './joined-results.js';

const entry = (position: number) => ({ position, result: JSON.stringify({ email: `line\n${position}@example.com` }) });
const row = (...positions: number[]) => ({
  position: rowOf(positions[0]!),
  results: joinResults(positions.map(entry)),
});

it('splits what it joined, also where texts have line breaks', () => {
  const all = Array.from({ length: RESULTS_TOGETHER }, (_, i) => i);
  expect(splitResults([row(...all)], 0, RESULTS_TOGETHER)).toEqual(all.map((i) => entry(i).result));
});

it('picks a part that begins and ends within rows', () => {
  const rows = [row(98, 99), row(100, 101)];
  expect(splitResults(rows, 99, 101)).toEqual([entry(99).result, entry(100).result]);
});

it('leaves out entries without a result in the rows', () => {
  expect(splitResults([row(1, 3)], 0, 5)).toEqual([null, entry(1).result, null, entry(3).result, null]);
  expect(splitResults([], 7, 9)).toEqual([null, null]);
});

it('puts each hundred entries into a row', () => {
  expect([0, 99, 100, 9_999].map(rowOf)).toEqual([0, 0, 100, 9_900]);
});
