import { gunzipSync } from 'node:zlib';
import { staticFile, takesGzip } from './static-file.js';

it.each([
  ['gzip', true],
  ['deflate, gzip;q=1.0, br', true],
  ['br;q=1, GZIP; q=0.5', true],
  ['gzip;q=0', false],
  ['gzip;q=0.000', false],
  ['x-gzipped, br', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding %j accepts gzip: %j', (header, takes) => {
  expect(takesGzip(header)).toBe(takes);
});

it('a file is held uncompressed and gzipped', async () => {
  const { type, octets, zipped } = await staticFile('text/plain', 'é'.repeat(1000));
  expect([type, octets.length]).toEqual(['text/plain', 2000]);
  expect(zipped.length).toBeLessThan(100);
  expect(gunzipSync(zipped).equals(octets)).toBe(true);
});
