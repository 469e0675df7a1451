import { readMoment } from './read-moment.js';

describe('a moment', () => {
  it.each([
    ['2026-11-28', '2026-11-28T00:00:00.000Z'],
    ['2026-11-28T10:00', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T10:00:00', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T10:00:00Z', '2026-11-28T10:00:00.000Z'],
    ['2026-11-28T10:00:00.5+01:00', '2026-11-28T09:00:00.500Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s, wherever the process runs', (text, time) => {
    expect(readMoment(text)?.toISOString()).toBe(time);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '2026-13-01',
    '2026-11-28T25:00',
    '2026-11-28T10:00+99:00',
    // ISO 8601 too, and no times to `Date`.
    '2026-W48',
    '2026-W48-1',
    '2026-333',
    '20261128',
    '2026-11-28T10Z',
    '2026-11-28T10:00:00,5Z',
    // Times that no database column holds.
    '0000-01-01',
    '9999-12-31T23:59-12:00',
  ])('is not %j', (text) => {
    expect(readMoment(text)).toBeNull();
  });
});
