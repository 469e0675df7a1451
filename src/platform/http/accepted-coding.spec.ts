import { acceptedCoding, type Coding } from './accepted-coding.js';

const ALL: readonly Coding[] = ['br', 'gzip', 'identity'];

it.each<[string | undefined, Coding]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['*;q=0', 'identity'],
  ['brotli, xgzip, x-gzipped', 'identity'],
  ['deflate, gzip;q=1.0', 'gzip'],
  ['gzip;q=0.000', 'identity'],
])('of %j it takes %s', (header, coding) => {
  expect(acceptedCoding(header, ALL)).toBe(coding);
});

it('takes what there is', () => {
  expect(acceptedCoding('br, gzip', ['gzip', 'identity'])).toBe('gzip');
  expect(acceptedCoding('br, gzip', ['identity'])).toBe('identity');
});
