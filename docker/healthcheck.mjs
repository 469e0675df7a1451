/**
 * node healthcheck.mjs [main|worker|console|cli]: exit code 0 when the process of this container is live, 1 when it is not. Which
 * process that is says the command line of process 1; a command that ends by itself is always well.
 */
import { readFileSync } from 'node:fs';
import { get } from 'node:http';

const TIMEOUT_MS = 4000;

const role = process.argv[2] ?? roleOf(readFileSync('/proc/1/cmdline', 'utf8'));
if (role === 'cli') process.exit(0);
const { WORKER_PORT, CONSOLE_PORT, CONSOLE_HOST, HOST } = process.env;
const ports = { worker: WORKER_PORT || 3001, console: CONSOLE_PORT || 3002, main: portOfApi(process.env) };
const port = ports[role];
const listener = role === 'console' ? CONSOLE_HOST : HOST;
const host = !listener || listener === '0.0.0.0' ? '127.0.0.1' : listener;

const request = get({ host, port, path: '/health/live', timeout: TIMEOUT_MS }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => request.destroy(new Error('no answer in time')));
request.on('error', () => process.exit(1));

/** That of the metrics, where no callers stand in line; where there is none, that of the callers. */
function portOfApi({ METRICS_PORT = '', PORT = '' }) {
  return Number(METRICS_PORT || 9464) || PORT || 3000;
}

/** Words of a command line are separated by NUL. */
function roleOf(commandLine) {
  return /dist\/(worker|console|cli)/.exec(commandLine)?.[1] ?? 'main';
}
