import { endOf } from './month.js';

it.each([
  [202611, '2026-12-01T00:00:00.000Z'],
  [202612, '2027-01-01T00:00:00.000Z'],
  [202802, '2028-03-01T00:00:00.000Z'],
])('%i ends at %s', (month, end) => {
  expect(endOf(month).toISOString()).toBe(end);
});
