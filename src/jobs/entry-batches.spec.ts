import { entryBatches } from './entry-batches.js';
import type { NewEntry } from './new-entries.js';

const entry = (characters: number, as: 'sent' | 'result' = 'sent'): NewEntry => ({
  sent: null,
  unitPrice: 0,
  result: null,
  [as]: 'x'.repeat(characters),
});
const sizes = (entries: readonly NewEntry[]): [number, number][] =>
  [...entryBatches(entries)].map(({ from, entries: batch }) => [from, batch.length]);

it.each<[number, [number, number][]]>([
  [0, []],
  [1, [[0, 1]]],
  [1000, [[0, 1000]]],
  [
    2001,
    [
      [0, 1000],
      [1000, 1000],
      [2000, 1],
    ],
  ],
])('cuts %d small entries into statements of a thousand', (count, expected) => {
  expect(sizes(Array.from({ length: count }, () => entry(30)))).toEqual(expected);
});

it('splits large entries by size, and loses none', () => {
  const entries = Array.from({ length: 1000 }, (_, i) => entry(1024 + i));
  const batches = [...entryBatches(entries)];
  expect(batches.flatMap((batch) => batch.entries)).toEqual(entries);
  for (const batch of batches) {
    expect(batch.entries.reduce((sum, { sent }) => sum + sent!.length, 0)).toBeLessThanOrEqual(128 * 1024);
    expect(entries[batch.from]).toBe(batch.entries[0]);
  }
});

it('gives an entry that is larger than a statement its own batch', () => {
  expect(sizes([entry(10), entry(2_000_000, 'result'), entry(10), entry(10)])).toEqual([
    [0, 1],
    [1, 1],
    [2, 2],
  ]);
});
