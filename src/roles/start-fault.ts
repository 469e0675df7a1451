import { ConfigFault } from '../platform/config/config-fault.js';
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

/** The variable that keeps a process from starting, because of the machine or a server, and its rule; null for other errors. */
export function startFault(role: Exclude<Role, 'cli'>, error: unknown): string | null {
  if (error instanceof ConfigFault) return error.message;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const rule = syscall === 'listen' || syscall === 'getaddrinfo' ? RULES[code] : undefined;
  return rule === undefined ? null : `${VARIABLES[role][rule[0]]}: ${rule[1]}`;
}
