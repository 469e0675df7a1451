import { ConfigFault } from '../platform/config/config-fault.js';
import { startFault } from './start-fault.js';

const failed = (code: string, syscall: string): Error => Object.assign(new Error(code), { code, syscall });

it.each([
  ['api', 'EADDRINUSE', 'listen', 'PORT: must be free: another process listens there'],
  ['worker', 'EADDRINUSE', 'listen', 'WORKER_PORT: must be free: another process listens there'],
  ['console', 'EACCES', 'listen', 'CONSOLE_PORT: must be one on which this user may listen, from 1024 up'],
  ['worker', 'EADDRNOTAVAIL', 'listen', 'HOST: must be an address of this machine'],
  ['console', 'ENOTFOUND', 'getaddrinfo', 'CONSOLE_HOST: must be an address of this machine, or a name of one'],
  ['api', 'ECONNREFUSED', 'connect', null],
  ['api', 'EACCES', 'open', null],
] as const)('names the variable that keeps %s from listening: %s', (role, code, syscall, fault) => {
  expect(startFault(role, failed(code, syscall))).toBe(fault);
});

it('passes on what a server says of a variable', () => {
  const fault = new ConfigFault(['REDIS_URL: names a server of a cluster']);
  expect(startFault('worker', fault)).toBe('REDIS_URL: names a server of a cluster');
});
