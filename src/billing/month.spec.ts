import { endOf, formatMonth, parseMonth, startOf } from './month.js';

it.each([
  [202611, '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  [202612, '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  [202801, '2028-01-01T00:00:00.000Z', '2028-02-01T00:00:00.000Z'],
  [202802, '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
])('%i begins at %s and ends at %s', (month, start, end) => {
  expect([startOf(month).toISOString(), endOf(month).toISOString()]).toEqual([start, end]);
});

it('formats a month as 2026-01', () => {
  expect([formatMonth(202601), parseMonth('2026-01')]).toEqual(['2026-01', 202601]);
  for (const text of ['2026-13', '2026-00', '2026-1', '202601', ' 2026-01', '']) expect(parseMonth(text)).toBeNull();
});
