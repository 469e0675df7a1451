import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exclusively } from './exclusively.mjs';
import { downloadClosure } from './package-closure.mjs';
import { root } from './paths.mjs';
import { findProgram } from './programs.mjs';
import { step } from './say.mjs';

const run = promisify(execFile);

/** The real servers of the tests. Debian's mail servers exclude one another, so each stands in a list of its own. */
const installs = [['postfix', 'postgrey', 'unbound', 'knot'], ['exim4-daemon-light'], ['opensmtpd']];

/** Goes up when a tree made before would not do. */
const layout = 2;

/** Postgrey and its Perl stand apart: they are most of the files, and few tests want them. */
const ofPerl = /^(?:perl|libperl|lib.*-perl_|postgrey)/;

/**
 * Unpacks real mail and name servers, with every library they need, into trees that programs run in by `chroot`: nothing
 * is installed, and the mail system of this machine stays as it is. Done once, then found again: `tree/servers`, and
 * `tree/postgrey`, which is laid over it.
 * @returns {Promise<{ kind: 'ready', tree: string } | { kind: 'impossible', why: string }>} `impossible`: not on this kind
 *   of machine. Throws Trouble when it should work and does not.
 */
export async function unpackMailServers() {
  const why = obstacle({
    missing: ['apt-get', 'dpkg-deb', 'chroot'].filter((program) => findProgram(program) === null),
    isRoot: process.getuid?.() === 0,
    mayChroot: await canChroot(),
  });
  if (why !== null) return { kind: 'impossible', why };
  const home = join(root, '.local', 'mta');
  const tree = join(home, `tree-${treeId()}`);
  if (!existsSync(tree)) {
    await exclusively(join(home, 'unpacking'), async () => {
      if (!existsSync(tree)) await step('Unpacking real mail and name servers for the tests', () => unpack(home, tree));
    });
  }
  return { kind: 'ready', tree };
}

/**
 * What keeps the servers from running on this machine, null when nothing does.
 * @param {{ missing: string[], isRoot: boolean, mayChroot: boolean }} facts `missing`: programs that are not here
 * @public for the tests
 */
export function obstacle({ missing, isRoot, mayChroot }) {
  if (missing.length > 0) {
    return `they are unpacked from Debian's packages, and there is no ${missing.join(' and no ')} here`;
  }
  if (!isRoot) return 'they run in a tree of their own (chroot), which only root can do';
  return mayChroot ? null : 'they run in a tree of their own (chroot), which is not allowed in this container';
}

async function canChroot() {
  try {
    await run(findProgram('chroot'), ['/', 'true']);
    return true;
  } catch {
    return false;
  }
}

async function unpack(home, tree) {
  const work = join(home, 'unpacking.work');
  const partial = join(work, 'tree');
  rmSync(work, { recursive: true, force: true });
  const debs = await downloadClosure(installs, work);
  const parts = ['servers', 'postgrey'].map((name) => join(partial, name));
  for (const part of parts) mkdirSync(part, { recursive: true });
  const files = readdirSync(debs);
  const lane = async () => {
    for (let file = files.pop(); file; file = files.pop()) {
      await run('dpkg-deb', ['-x', join(debs, file), parts[ofPerl.test(file) ? 1 : 0]]);
    }
  };
  await Promise.all([lane(), lane()]);
  linkMergedFolders(parts[0]);
  for (const part of parts) removeUnread(part);
  for (const old of readdirSync(home).filter((name) => name.startsWith('tree-'))) {
    rmSync(join(home, old), { recursive: true, force: true });
  }
  renameSync(partial, tree);
  rmSync(work, { recursive: true, force: true });
}

/** Where `/lib` and `/usr/lib` are one folder, packages have files in `/usr/lib` alone. */
function linkMergedFolders(part) {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    if (existsSync(join(part, name)) || !existsSync(join(part, 'usr', name))) continue;
    symlinkSync(`usr/${name}`, join(part, name));
  }
}

function removeUnread(part) {
  for (const unread of ['doc', 'man', 'info', 'locale', 'lintian', 'bug']) {
    rmSync(join(part, 'usr', 'share', unread), { recursive: true, force: true });
  }
}

/** Another release or architecture has other packages. */
function treeId() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const made = JSON.stringify([layout, installs, release, process.arch]);
  return createHash('sha256').update(made).digest('hex').slice(0, 12);
}
