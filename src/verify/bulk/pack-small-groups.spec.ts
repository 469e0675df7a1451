import { packSmallGroups, type SmallGroup } from './pack-small-groups.js';

const groups = (count: number, size: number): SmallGroup<string>[] =>
  Array.from({ length: count }, (_, nth) => ({
    group: `g${nth}`,
    targets: Array.from({ length: size }, (__, i) => `${i}@d${nth}.test`),
  }));
const terms = { others: 0, atOnce: 5, most: 100 };
const sizes = (chunks: readonly (readonly SmallGroup<string>[])[]) => chunks.map(({ length }) => length);

it('fills chunks up to sixty recipients of ten groups', () => {
  expect(sizes(packSmallGroups(groups(12, 20), terms))).toEqual([3, 3, 3, 3]);
  expect(sizes(packSmallGroups(groups(40, 1), terms))).toEqual([10, 10, 10, 10]);
});

it('spreads the few chunks of the last round over the others', () => {
  const chunks = packSmallGroups(groups(50, 20), terms);
  expect(sizes(chunks)).toEqual([4, 3, 3, 4, 3, 3, 4, 3, 3, 4, 3, 3, 4, 3, 3]);
  expect(chunks.flat()).toEqual(groups(50, 20));
});

it('counts chunks of other groups into the rounds', () => {
  expect(packSmallGroups(groups(50, 20), { ...terms, others: 4 })).toHaveLength(16);
  expect(packSmallGroups(groups(50, 20), { ...terms, others: 3 })).toHaveLength(17);
});

it('keeps a last round that uses most of the workers', () => {
  expect(packSmallGroups(groups(54, 20), terms)).toHaveLength(18);
});

it('keeps a job that fits into one round', () => {
  expect(packSmallGroups(groups(6, 20), terms)).toHaveLength(2);
  expect(packSmallGroups([], terms)).toEqual([]);
});

it('respects the maximum of groups and recipients per chunk', () => {
  expect(sizes(packSmallGroups(groups(60, 1), terms))).toEqual([10, 10, 10, 10, 10, 10]);
  expect(packSmallGroups(groups(21, 20), { ...terms, most: 79 })).toHaveLength(7);
  expect(packSmallGroups(groups(21, 20), { ...terms, most: 100 })).toHaveLength(5);
});

it('handles groups of very different sizes', () => {
  const uneven = [...groups(12, 24), ...groups(30, 2), ...groups(2, 24)];
  const chunks = packSmallGroups(uneven, terms);
  expect(chunks.flat()).toEqual(uneven);
  for (const chunk of chunks) expect(chunk.length).toBeGreaterThan(0);
});
