import { findProgram } from './programs.mjs';
import { installWithApt } from './apt.mjs';
import { step } from './say.mjs';
import { Trouble } from './trouble.mjs';

/**
 * What provides each server. On Debian and Ubuntu these are the programs alone: unlike `mariadb-server` and
 * `redis-server` they bring no system service, so nothing is started on a standard port, now or at the next boot.
 */
const providers = {
  mariadb: {
    apt: ['mariadb-server-core', 'mariadb-client-core'],
    dnf: 'mariadb-server',
    brew: 'mariadb',
    variable: 'DATABASE_URL',
  },
  redis: { apt: ['redis-tools'], dnf: 'valkey', brew: 'redis', variable: 'REDIS_URL' },
};

/** @typedef {keyof typeof providers} Server */

/** Installs the servers that are missing, or throws Trouble that says what to type. @param {Server[]} missing */
export async function installMissing(missing) {
  const plan = planInstall(missing, { isRoot: process.getuid?.() === 0, hasApt: findProgram('apt-get') !== null });
  if (plan.kind === 'nothing') return;
  if (plan.kind === 'tell') throw new Trouble(plan.message);
  await step(`Installing ${plan.packages.join(', ')} with apt (programs only, no system service)`, () =>
    installWithApt(plan.packages),
  );
}

/**
 * What to do about missing servers, from the facts alone.
 * @param {Server[]} missing
 * @param {{ isRoot: boolean, hasApt: boolean }} facts
 * @public for the tests
 * @returns {{ kind: 'nothing' } | { kind: 'apt', packages: string[] } | { kind: 'tell', message: string }}
 */
export function planInstall(missing, { isRoot, hasApt }) {
  if (missing.length === 0) return { kind: 'nothing' };
  const packages = missing.flatMap((server) => providers[server].apt);
  if (isRoot && hasApt) return { kind: 'apt', packages };
  return { kind: 'tell', message: whatToType(missing, packages) };
}

function whatToType(missing, aptPackages) {
  const names = {
    mariadb: 'MariaDB or MySQL (mariadbd, mysqld)',
    redis: 'Redis or Valkey (redis-server, valkey-server)',
  };
  const from = (manager) => missing.map((server) => providers[server][manager]).join(' ');
  const variables = missing.map((server) => providers[server].variable).join(' and ');
  return [
    `No ${missing.map((server) => names[server]).join(' and no ')} was found here. Install with one of these, then type the same again:`,
    `  Debian, Ubuntu   sudo apt-get install --no-install-recommends ${aptPackages.join(' ')}`,
    `  Fedora           sudo dnf install ${from('dnf')}`,
    `  macOS            brew install ${from('brew')}`,
    `Or run both in containers:  docker compose -f docker/compose.yml up mysql redis  (its first lines say what to set)`,
    `Or set ${variables} to what you already run: then nothing is started.`,
  ].join('\n');
}
