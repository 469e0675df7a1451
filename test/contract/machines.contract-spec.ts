import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { listVariables, loadConfig } from '../../src/platform/config/load-config.js';

const FOLDER = resolve(__dirname, '../../docker/machines');
const read = (file: string): string => readFileSync(join(FOLDER, file), 'utf8');
const matches = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, one = '']) => one);

const MACHINES = ['10.0.0.1', '10.0.0.2', '10.0.0.3'];
const environment = Object.fromEntries(
  [...read('mailvet.env').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const variables = listVariables();
const milliseconds = (name: string): number => Number(environment[name] ?? variables.get(name)?.default);

interface Service {
  readonly image: string;
  readonly command: readonly string[];
  readonly env_file: readonly string[];
  readonly read_only: boolean;
  readonly cap_drop: readonly string[];
  readonly stop_grace_period: string;
}
const { services } = parse(read('compose.yml'), { merge: true }) as { services: Record<string, Service> };

it.each(['api', 'worker', 'console'] as const)('the %s accepts the variables of the machines', (role) => {
  expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([]);
  expect(() => loadConfig(role, { ...environment, NODE_ENV: 'production' })).not.toThrow();
});

it('every process runs from the one image, read-only and without capabilities, with time to stop', () => {
  expect(Object.values(services).map(({ command }) => command.join(' '))).toEqual([
    'node dist/main',
    'node dist/worker',
    'node dist/console',
  ]);
  for (const { stop_grace_period: grace, ...service } of Object.values(services)) {
    expect(service).toMatchObject({ env_file: ['mailvet.env'], read_only: true, cap_drop: ['ALL'] });
    expect(service.image).toMatch(/^registry\.example\.com\/mailvet:\d+\.\d+\.\d+$/);
    expect(parseInt(grace, 10) * 1000).toBeGreaterThan(
      milliseconds('SHUTDOWN_DELAY_MS') + milliseconds('SHUTDOWN_GRACE_MS'),
    );
  }
});

it('all files mean the same machines, servers and names', () => {
  const hosts = (url: string): readonly string[] => matches(url.replace(/^.*@/, ''), /([\d.]+)(?::\d+)?(?=[,/])/g);
  expect(hosts(environment['DATABASE_URL']!)).toEqual(MACHINES);
  expect(hosts(environment['REDIS_URL']!)).toEqual(MACHINES);
  expect(read('galera.cnf')).toContain(`gcomm://${MACHINES.join(',')}\n`);
  const [, name] = /^sentinel monitor (\w+) 10\.0\.0\.1 6379 2$/m.exec(read('sentinel.conf')) ?? [];
  expect(environment['REDIS_URL']!.endsWith(`/${name}`)).toBe(true);
  for (const [port, variable] of [
    [3000, 'PORT'],
    [3002, 'CONSOLE_PORT'],
  ] as const) {
    expect(String(port)).toBe(variables.get(variable)?.default);
    const asked = matches(read('haproxy.cfg'), new RegExp(`server \\w (\\S+):${port}`, 'g'));
    expect(new Set(asked)).toEqual(new Set(MACHINES));
  }
});

it('the balancer takes a process that stops out while it still serves', () => {
  const [, seconds, failures] = /check inter (\d+)s fall (\d+)/.exec(read('haproxy.cfg')) ?? [];
  expect(Number(seconds) * 1000 * Number(failures)).toBeLessThan(milliseconds('SHUTDOWN_DELAY_MS'));
  const [, server] = /timeout server (\d+)s/.exec(read('haproxy.cfg')) ?? [];
  expect(Number(server) * 1000).toBeGreaterThan(milliseconds('VERIFY_DEADLINE_MS'));
});
