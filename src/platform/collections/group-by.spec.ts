import { groupBy } from './group-by.js';

it('groups values by their key, in the order of their first member', () => {
  const groups = groupBy(['pear', 'fig', 'plum', 'lime'], (word) => word.length);
  expect([...groups]).toEqual([
    [4, ['pear', 'plum', 'lime']],
    [3, ['fig']],
  ]);
});
