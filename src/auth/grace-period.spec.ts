import { parseGracePeriod } from './grace-period.js';

describe('parseGracePeriod', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['45s', 45],
    ['30m', 1800],
    ['24h', 86_400],
    ['7d', 604_800],
    ['90d', 7_776_000],
    ['2160h', 7_776_000],
  ])('reads %s as %d seconds', (text, seconds) => {
    expect(parseGracePeriod(text)).toBe(seconds);
  });

  it.each(['', '24', '-1h', '1.5h', '1 h', 'h', '24H', '1w', '91d', '2161h', '99999999999s', '1h30m', '٣h', '1h\n'])(
    'refuses %j',
    (text) => {
      expect(parseGracePeriod(text)).toBeNull();
    },
  );
});
