import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { findProgram } from './programs.mjs';
import { keptSecret } from './secret.mjs';
import { startOnFreePort } from './start-on-free-port.mjs';

/**
 * The program to use, or null. Debian puts the server into `redis-tools` under the name of its file checker (one
 * program, which goes by the name it is called with) and only a link and a system service into `redis-server`.
 */
export function findRedis() {
  return findProgram('redis-server', 'valkey-server') ?? findProgram('redis-check-rdb', 'valkey-check-rdb');
}

/**
 * Starts a private Redis (or Valkey) on a free port of 127.0.0.1 with its data in `folder`, behind a random password.
 * @param {import('./open-keeper.mjs').Keeper} keeper
 * @param {{ folder: string, logs: string, appendOnly: boolean }} options
 *   `appendOnly`: what is in it survives a stop (at most the last second is lost in a crash)
 * @returns {Promise<{ url: string, said: string }>}
 */
export async function startRedis(keeper, { folder, logs, appendOnly }) {
  const log = join(logs, 'redis.log');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(log, { force: true });
  const password = keptSecret(join(folder, 'password'));
  const config = join(folder, 'redis.conf');
  const { port, ready } = await startOnFreePort(keeper, {
    what: 'Redis',
    log,
    isReady: (free) => version(free, password),
    task: (free) => {
      writeFileSync(config, configuration({ port: free, password, appendOnly }), { mode: 0o600 });
      return { name: 'redis', command: findRedis(), argv0: 'redis-server', args: [config], cwd: folder, log };
    },
  });
  return { url: `redis://default:${password}@127.0.0.1:${port}/0`, said: `${ready} on 127.0.0.1:${port}` };
}

function configuration({ port, password, appendOnly }) {
  return `${[
    'bind 127.0.0.1',
    `port ${port}`,
    'dir .',
    `requirepass ${password}`,
    'databases 64',
    'maxmemory-policy noeviction',
    'save ""',
    `appendonly ${appendOnly ? 'yes' : 'no'}`,
    'appendfsync everysec',
  ].join('\n')}\n`;
}

/** `Redis 7.0.15`, or null while the server does not answer or still loads its data. */
function version(port, password) {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let text = '';
    const done = (found) => {
      socket.destroy();
      resolve(found);
    };
    socket.setTimeout(1000, () => done(null));
    socket.once('error', () => done(null));
    socket.once('close', () => done(null));
    socket.once('connect', () => socket.write(`AUTH ${password}\r\nPING\r\nINFO server\r\n`));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (/-LOADING|-NOAUTH|-WRONGPASS/.test(text)) done(null);
      else if (/\+PONG[^]*run_id/.test(text)) done(versionInInfo(text));
    });
  });
}

function versionInInfo(info) {
  const valkey = /^valkey_version:(\S+)/m.exec(info)?.[1];
  return valkey ? `Valkey ${valkey}` : `Redis ${/^redis_version:(\S+)/m.exec(info)?.[1]}`;
}
