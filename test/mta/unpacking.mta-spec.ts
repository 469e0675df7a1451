import { callScriptFunction } from '../scripts/script-function.js';

describe('the packages unpacked for tests with real servers', () => {
  const unpacked = (uris: string[], wanted: string[]) =>
    callScriptFunction('package-closure.mjs', 'packagesToUnpack', uris.join('\n'), wanted);
  const uri = (file: string): string => `'http://mirror.example.net/pool/${file}' ${file} 1234 SHA256:00`;

  it('contain the server, libraries and Perl, in the versions that apt reported', async () => {
    const uris = [
      'libc6_2.36-9_amd64.deb',
      'zlib1g_1%3a1.2.13_amd64.deb',
      'perl-base_5.36_amd64.deb',
      'postfix_3.7_amd64.deb',
    ];
    expect(await unpacked(uris.map(uri), ['postfix'])).toEqual([
      'libc6=2.36-9',
      'zlib1g=1:1.2.13',
      'perl-base=5.36',
      'postfix=3.7',
    ]);
  });

  it('contain nothing that only an installation needs', async () => {
    const uris = [
      'dpkg_1.21_amd64.deb',
      'debconf_1.5_all.deb',
      'adduser_3.1_all.deb',
      'libpython3.11-stdlib_3.11_amd64.deb',
    ];
    expect(await unpacked(['Reading package lists...', ...uris.map(uri)], ['postfix'])).toEqual([]);
  });
});

describe('if real servers cannot run', () => {
  const obstacle = (facts: { missing: string[]; isRoot: boolean; mayChroot: boolean }) =>
    callScriptFunction('mail-servers.mjs', 'obstacle', facts);

  it('there is no reason with chroot rights and Debian packages', async () => {
    expect(await obstacle({ missing: [], isRoot: true, mayChroot: true })).toBeNull();
  });

  it.each([
    [{ missing: ['apt-get', 'dpkg-deb'], isRoot: true, mayChroot: true }, 'no apt-get and no dpkg-deb'],
    [{ missing: [], isRoot: false, mayChroot: false }, 'only root'],
    [{ missing: [], isRoot: true, mayChroot: false }, 'not allowed in this container'],
  ])('%j: explains why', async (facts, words) => {
    expect(await obstacle(facts)).toContain(words);
  });
});
