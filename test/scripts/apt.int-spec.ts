import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const APT = pathToFileURL(resolve(__dirname, '../../scripts/lib/apt.mjs')).href;

/** Installs nothing without lists, and refuses to fetch them for two at once, like apt-get, which takes longer. */
const APT_GET = `#!/bin/sh
cd "$(dirname "$0")"
case "$*" in
  *update*) mkdir lock 2> /dev/null && sleep 0.5 && touch lists && rmdir lock ;;
  *) test -e lists ;;
esac
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'apt-'));
  await writeFile(join(folder, 'apt-get'), APT_GET, { mode: 0o755 });
});
afterAll(() => rm(folder, { recursive: true }));

it('on a machine without package lists, installs that begin together fetch them once', async () => {
  const source = `
    import { installWithApt } from ${JSON.stringify(APT)};
    await Promise.all(['one', 'two', 'three'].map((name) => installWithApt([name])));`;
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source], { env });
  expect(stderr).toBe('');
});
