import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Not on every root's PATH. */
const CHROOT = '/usr/sbin/chroot';

/** Users that only exist inside of the tree, by the names the servers look for. Each has a group of its name. */
const USERS = { postfix: 2001, postgrey: 2003, 'Debian-exim': 2004, opensmtpd: 2005, opensmtpq: 2006, nobody: 65534 };
const GROUPS = { ...USERS, postdrop: 2002 };

export type User = keyof typeof USERS;
export type Group = keyof typeof GROUPS;

/** Whom a file belongs to inside of the tree; root where nothing is said. */
export interface Owner {
  readonly user?: User;
  readonly group?: Group;
  /** Default: 0755 for a folder, 0644 for a file. */
  readonly mode?: number;
}

/**
 * A tree of files that servers see as the whole file system (`chroot`): a copy, by hard links, of the unpacked packages,
 * with users, devices and configuration of its own. What the servers write stays in it.
 */
export class ServerTree {
  private constructor(
    private readonly unpacked: string,
    readonly root: string,
  ) {}

  /** @param root where the tree is to stand; must not exist yet, on the file system of `unpacked` */
  static async make(unpacked: string, root: string): Promise<ServerTree> {
    await run('cp', ['-al', join(unpacked, 'servers'), root]);
    const tree = new ServerTree(unpacked, root);
    const users = Object.entries(USERS).map(([name, id]) => `${name}:x:${id}:${id}::/:/bin/false`);
    const groups = Object.entries(GROUPS).map(([name, id]) => `${name}:x:${id}:`);
    tree.place('/etc/passwd', ['root:x:0:0::/:/bin/false', ...users, ''].join('\n'));
    tree.place('/etc/group', ['root:x:0:', ...groups, ''].join('\n'));
    tree.place('/etc/services', 'domain 53/udp\ndomain 53/tcp\nsmtp 25/tcp\n');
    tree.folder('/tmp', { mode: 0o1777 });
    tree.folder('/run');
    await tree.device('null', 3, '');
    await tree.device('urandom', 9, randomBytes(4096));
    return tree;
  }

  /** Lays Postgrey and its Perl over the tree. */
  addPostgrey(): void {
    execFileSync('cp', ['-al', `${join(this.unpacked, 'postgrey')}/.`, this.root]);
  }

  /** Writes a file. Never through a hard link, so the unpacked packages stay as they are. */
  place(path: string, content: string | Buffer, owner: Owner = {}): void {
    const outside = join(this.root, path);
    mkdirSync(dirname(outside), { recursive: true });
    rmSync(outside, { force: true });
    writeFileSync(outside, content);
    this.own(outside, owner, 0o644);
  }

  folder(path: string, owner: Owner = {}): void {
    const outside = join(this.root, path);
    mkdirSync(outside, { recursive: true });
    this.own(outside, owner, 0o755);
  }

  /** Command and arguments that run a program inside of the tree. */
  inside(program: string, ...args: string[]): { readonly command: string; readonly args: readonly string[] } {
    return { command: CHROOT, args: [this.root, program, ...args] };
  }

  /** Runs a program inside of the tree to its end, and gives what it wrote. */
  async run(program: string, ...args: string[]): Promise<string> {
    const { stdout } = await run(CHROOT, [this.root, program, ...args], { env: { LC_ALL: 'C' }, timeout: 120_000 });
    return stdout;
  }

  private own(outside: string, { user, group, mode }: Owner, usual: number): void {
    chownSync(outside, user ? USERS[user] : 0, group ? GROUPS[group] : 0);
    chmodSync(outside, mode ?? usual);
  }

  /** A memory device; where the file system has none, an ordinary file, which does for what the servers want of it. */
  private async device(name: string, minor: number, instead: string | Buffer): Promise<void> {
    this.folder('/dev');
    const outside = join(this.root, 'dev', name);
    try {
      await run('mknod', ['-m', '666', outside, 'c', '1', String(minor)]);
      writeFileSync(outside, '');
    } catch {
      this.place(`/dev/${name}`, instead, { mode: 0o666 });
    }
  }
}
