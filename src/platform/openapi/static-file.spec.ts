import { gunzipSync } from 'node:zlib';
import { staticFile } from './static-file.js';

it('a file is held uncompressed and gzipped', async () => {
  const { type, octets, zipped } = await staticFile('text/plain', 'é'.repeat(1000));
  expect([type, octets.length]).toEqual(['text/plain', 2000]);
  expect(zipped.length).toBeLessThan(100);
  expect(gunzipSync(zipped).equals(octets)).toBe(true);
});
