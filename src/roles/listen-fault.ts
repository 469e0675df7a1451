import type { Role } from '../platform/config/variable-reader.js';

/** Where each process listens. */
const VARIABLES = {
  api: { host: 'HOST', port: 'PORT' },
  worker: { host: 'HOST', port: 'WORKER_PORT' },
  console: { host: 'CONSOLE_HOST', port: 'CONSOLE_PORT' },
};

const RULES: Readonly<Record<string, readonly ['host' | 'port', string]>> = {
  EADDRINUSE: ['port', 'must be free: another process listens there'],
  EACCES: ['port', 'must be one on which this user may listen, from 1024 up'],
  EADDRNOTAVAIL: ['host', 'must be an address of this machine'],
  ENOTFOUND: ['host', 'must be an address of this machine, or a name of one'],
};

/** The variable that keeps a process from listening, and its rule; null for an error about anything else. */
export function listenFault(role: Exclude<Role, 'cli'>, error: unknown): string | null {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const rule = syscall === 'listen' || syscall === 'getaddrinfo' ? RULES[code] : undefined;
  return rule === undefined ? null : `${VARIABLES[role][rule[0]]}: ${rule[1]}`;
}
