import { joinOutcomes, splitOutcomes } from './joined-outcomes.js';

it('splits what it joined, also where texts have tabs and line breaks', () => {
  const outcomes = [
    { positions: [7], facts: JSON.stringify({ why: 'one\ttwo\nthree' }) },
    { positions: [2, 5, 10_000], facts: '{}' },
  ];
  expect(splitOutcomes(joinOutcomes(outcomes))).toEqual(outcomes);
});
