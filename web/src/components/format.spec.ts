import { formatAgo, formatCompact, formatDuration, formatSigned, formatUtc } from './format';

describe('formats', () => {
  it('tells how long ago something was in the largest unit that fits', () => {
    const now = Date.parse('2026-11-29T12:00:00Z');
    const told = ['2026-11-29T11:59:50Z', '2026-11-29T11:30:00Z', '2026-11-28T12:00:00Z', '2026-11-29T14:00:00Z'];
    expect(told.map((at) => formatAgo(at, now))).toEqual(['just now', '30 minutes ago', '1 day ago', 'in 2 hours']);
  });

  it('writes durations in one or two units', () => {
    expect([5, 60, 4000, 7200, 259_200].map(formatDuration)).toEqual(['5 s', '1 min', '1 h 7 min', '2 h', '3 days']);
  });

  it('tells the steps of an axis apart, as far as each goes', () => {
    expect([0, 450, 900, 1350, 1800, 2_250_000].map(formatCompact)).toEqual([
      '0',
      '450',
      '900',
      '1.35K',
      '1.8K',
      '2.25M',
    ]);
  });

  it('gives amounts of a statement their sign', () => {
    expect([1500, -20, 0].map(formatSigned)).toEqual(['+1,500', '−20', '0']);
  });

  it('says moments in UTC to the second', () => {
    expect(formatUtc('2026-11-29T05:00:00.123Z')).toBe('2026-11-29 05:00:00 UTC');
  });
});
