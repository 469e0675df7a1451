import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram } from './programs.mjs';
import { keptSecret } from './secret.mjs';
import { startOnFreePort } from './start-on-free-port.mjs';
import { Trouble } from './trouble.mjs';

const user = 'mailvet';
const redoLogSize = '--loose-innodb-log-file-size=32M';

/** @returns {{ server: string, installer: string | null } | null} the programs to use, or null where there are none */
export function findMariaDb() {
  const server = findProgram('mariadbd', 'mysqld');
  return server && { server, installer: findProgram('mariadb-install-db', 'mysql_install_db') };
}

/**
 * The commands that make a data folder and run a server on it. Arguments may be added to both: the last one counts.
 * @param {{ data: string, initFile: string, port: number }} place
 * @public for the tests
 */
export function mariaDbCommands({ data, initFile, port }) {
  const programs = findMariaDb();
  return {
    install: installCommand(programs, data),
    serve: [programs.server, ...serverArguments({ data, initFile, port })],
  };
}

/**
 * Starts a private MariaDB (or MySQL) on a free port of 127.0.0.1 with its data in `folder`, made on the first start
 * and used again after. Its user may do everything in databases whose name begins with `mailvet`, and nothing else.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ folder: string, logs: string, database: string }} options
 * @returns {Promise<{ url: string, said: string }>}
 */
export async function startMariaDb(keeper, { folder, logs, database }) {
  const programs = findMariaDb();
  const data = join(folder, 'data');
  const log = join(logs, 'mariadb.log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(log, { force: true });
  // Of its own: a server that starts removes the temporary tables of every other one from a folder that they share.
  const TMPDIR = join(folder, 'tmp');
  mkdirSync(TMPDIR, { recursive: true, mode: 0o700 });
  if (!existsSync(data)) await createData(keeper, programs, { data, log, TMPDIR });

  const passwords = { user: keptSecret(join(folder, 'password')), root: keptSecret(join(folder, 'root-password')) };
  const initFile = join(folder, 'init.sql');
  writeFileSync(initFile, initStatements(database, passwords), { mode: 0o600 });

  const { port, ready } = await startOnFreePort(keeper, {
    what: 'MariaDB',
    log,
    isReady: greeting,
    task: (free) => ({
      name: 'mariadb',
      command: programs.server,
      args: serverArguments({ data, initFile, port: free }),
      cwd: data,
      env: { TMPDIR },
      log,
      graceMs: 20_000,
    }),
  });
  return {
    url: `mysql://${user}:${passwords.user}@127.0.0.1:${port}/${database}`,
    said: `${ready} on 127.0.0.1:${port}`,
  };
}

/** Durable as in production, but small: a fresh data folder takes about 50 MB and half a second. */
function serverArguments({ data, initFile, port }) {
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${data}`,
    '--socket=server.sock', // in the data folder; a relative name stays under the system's limit of about 100 bytes
    '--pid-file=server.pid',
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    `--init-file=${initFile}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--default-time-zone=+00:00',
    '--max-connections=300',
    '--innodb-flush-log-at-trx-commit=1',
    '--innodb-buffer-pool-size=128M',
    redoLogSize,
    '--loose-skip-log-bin',
    '--loose-mysqlx=OFF', // MySQL would open a second, well-known port
    '--loose-performance-schema=OFF',
  ];
}

function installCommand({ server, installer }, data) {
  const command = installer
    ? [installer, '--no-defaults', '--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
    : [server, '--no-defaults', '--initialize-insecure'];
  return [...command, `--datadir=${data}`, ...asRoot(), redoLogSize];
}

/** Made beside its final place and moved there when whole, so that an interrupted start leaves nothing half made. */
async function createData(keeper, programs, { data, log, TMPDIR }) {
  const fresh = `${data}.new`;
  rmSync(fresh, { recursive: true, force: true });
  const [program, ...args] = installCommand(programs, fresh);
  const { code } = await keeper.run({ name: 'mariadb-install', command: program, args, env: { TMPDIR }, log });
  if (code !== 0) throw new Trouble('The data folder of the private MariaDB could not be made.', { log });
  renameSync(fresh, data);
}

function asRoot() {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

/** One statement a line: the server runs them at every start before it lets anyone in. */
function initStatements(database, passwords) {
  return [
    `CREATE DATABASE IF NOT EXISTS \`${database}\` CHARACTER SET utf8mb4;`,
    `CREATE USER IF NOT EXISTS '${user}'@'127.0.0.1' IDENTIFIED BY '${passwords.user}';`,
    `ALTER USER '${user}'@'127.0.0.1' IDENTIFIED BY '${passwords.user}';`,
    `GRANT ALL PRIVILEGES ON \`mailvet%\`.* TO '${user}'@'127.0.0.1';`,
    `ALTER USER 'root'@'localhost' IDENTIFIED BY '${passwords.root}';`,
    "DROP USER IF EXISTS 'root'@'127.0.0.1', 'root'@'::1';",
    '',
  ].join('\n');
}

/** The server speaks first: its version, e.g. `MariaDB 10.11.19`, or null while it does not let anyone in. */
function greeting(port) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const done = (found) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(1000, () => done(null));
    socket.once('error', () => done(null));
    socket.once('close', () => done(null));
    socket.once('data', (packet) => done(versionInGreeting(packet)));
  });
}

function versionInGreeting(packet) {
  if (packet[4] !== 10) return null; // protocol version; 255 is an error packet
  const name = packet.subarray(5, packet.indexOf(0, 5)).toString('latin1');
  const version = /(\d+\.\d+\.\d+)-MariaDB/.exec(name)?.[1];
  return version ? `MariaDB ${version}` : `MySQL ${name}`;
}
