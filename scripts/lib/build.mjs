import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprint } from './fingerprint.mjs';
import { npmRun } from './npm.mjs';
import { root } from './paths.mjs';
import { step } from './say.mjs';
import { Trouble } from './trouble.mjs';

const common = ['package-lock.json', 'tsconfig.json'];
/** The stamp is inside the result, so that deleting or rebuilding the result removes the stamp, too. */
const stampName = '.built-from';

/** Builds `dist/`, unless it is made of these very sources. */
export async function buildProduct(keeper, logs) {
  await build({
    what: 'Building',
    result: join(root, 'dist'),
    sources: [...common, 'src', 'migrations', 'rolldown.config.mjs', 'package.json'],
    task: npmRun('build', 'build:product'),
    keeper,
    logs,
  });
}

/** Builds the console's page, `web/dist/`, unless it is made of these very sources. */
export async function buildPage(keeper, logs) {
  await build({
    what: 'Building the page of the console',
    result: join(root, 'web', 'dist'),
    sources: [
      'package-lock.json',
      'web/src',
      'web/build',
      'web/index.html',
      'web/vite.config.ts',
      'web/tsconfig.json',
      'web/package.json',
    ],
    task: npmRun('build-web', 'build:web'),
    keeper,
    logs,
  });
}

/** Builds the packages of `clients/`, each into its `dist/`, unless they are made of these very sources. */
export async function buildClients(keeper, logs) {
  for (const [name, what] of [
    ['typescript', 'Building the client'],
    ['mcp', 'Building the MCP server'],
  ]) {
    const folder = `clients/${name}`;
    const parts = ['src', 'package.json', 'build.mjs', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.cjs.json'];
    await build({
      what,
      result: join(root, folder, 'dist'),
      sources: ['package-lock.json', ...parts.map((part) => `${folder}/${part}`)],
      task: npmRun(`build-client-${name}`, 'build', '--workspace', folder),
      keeper,
      logs,
    });
  }
}

/** Builds the laboratory internet, `.local/build/lab/`, unless it is made of these very sources. */
export async function buildLab(keeper, logs) {
  await build({
    what: 'Building the laboratory',
    result: join(root, '.local', 'build', 'lab'),
    sources: [...common, 'test/lab'],
    task: npmRun('build-lab', 'build', '--workspace', 'test/lab'),
    keeper,
    logs,
  });
}

/** Builds the benches with what they measure, `.local/build/bench/`, unless it is made of these very sources. */
export async function buildBench(keeper, logs) {
  await build({
    what: 'Building the benches',
    result: join(root, '.local', 'build', 'bench'),
    sources: [
      ...common,
      'src',
      'simulator',
      'test/lab',
      'test/engine/engine-under-test.ts',
      'test/support/start-chromium.ts',
      'bench',
      'tsconfig.bench.json',
    ],
    task: {
      name: 'build-bench',
      command: join(root, 'node_modules', '.bin', 'tsc'),
      args: ['-p', 'tsconfig.bench.json'],
    },
    keeper,
    logs,
  });
}

async function build({ what, result, sources, task, keeper, logs }) {
  const stamp = join(result, stampName);
  const wanted = fingerprint(sources);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  await step(what, async () => {
    const log = join(logs, `${task.name}.log`);
    rmSync(log, { force: true });
    rmSync(result, { recursive: true, force: true });
    const { code } = await keeper.run({ ...task, cwd: root, log });
    if (code !== 0) throw new Trouble(`${what} failed.`, { log });
    writeFileSync(stamp, wanted);
  });
}
