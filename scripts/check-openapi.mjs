/**
 * npm run check:openapi: holds docs/openapi.json to two linters and three generators of clients. What these write has to
 * compile, with good names and entries that can be told apart. Exit code 75 if the tools cannot be installed.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { badNames } from './lib/generated-names.mjs';
import { installOpenapiTools, openapiTool } from './lib/openapi-tools.mjs';
import { root } from './lib/paths.mjs';
import { runScript } from './lib/run-script.mjs';
import { installRuntimes, programOf } from './lib/runtimes.mjs';
import { say } from './lib/say.mjs';
import { Trouble } from './lib/trouble.mjs';

const document = join(root, 'docs', 'openapi.json');
const settings = join(root, 'scripts', 'openapi-tools');
const linters = [
  {
    name: 'spectral',
    program: '@stoplight/spectral-cli/dist/index.js',
    args: ['lint', document, '--ruleset', join(settings, 'spectral.yaml'), '--fail-severity', 'warn'],
  },
  {
    name: 'redocly',
    program: '@redocly/cli/bin/cli.js',
    args: ['lint', document, '--config', join(settings, 'redocly.yaml')],
  },
];
/** `entry`: the type of an entry of a list, in what the generator writes. */
const generators = [
  {
    name: 'openapi-typescript',
    program: 'openapi-typescript/bin/cli.js',
    args: (to) => [document, '--output', to],
    file: 'api.ts',
    entry: "import('./openapi-typescript/api').components['schemas']['Entry']",
  },
  {
    name: 'hey-api',
    program: '@hey-api/openapi-ts/bin/run.js',
    args: (to) => ['--input', document, '--output', join(to, '..'), '--no-log-file', '--silent'],
    file: 'types.gen.ts',
    entry: "import('./hey-api/types.gen').Entry",
  },
  {
    name: 'orval',
    program: 'orval/dist/bin/orval.mjs',
    args: (to) => ['--input', document, '--output', to, '--client', 'fetch'],
    file: 'api.ts',
    entry: "import('./orval/api').Entry",
  },
];
/** The tools are asked for nothing but their work. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', DO_NOT_TRACK: '1', NO_COLOR: '1' };
const compiler = 'typescript/bin/tsc';
const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'preserve',
  types: [],
  skipDefaultLibCheck: true,
};

await runScript('check-openapi', async ({ folder, keeper }) => {
  const logs = join(folder, 'logs');
  // Some of the tools need a later Node than the product.
  const why = (await installRuntimes(keeper, logs)) ?? (await installOpenapiTools(keeper, logs));
  if (why !== null) {
    say(`The tools of OpenAPI cannot be had: ${why}`);
    return 75;
  }
  const clients = join(folder, 'clients');
  rmSync(clients, { recursive: true, force: true });
  for (const { name, program, args } of linters) await run(name, program, args);
  for (const generator of generators) await generate(generator);
  writeFileSync(join(clients, 'read-entries.ts'), generators.map(entryReader).join(''));
  writeFileSync(join(clients, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
  await run('tsc', compiler, ['--project', clients]);
  say(
    `${linters.length} linters and ${generators.length} generators of clients have nothing against docs/openapi.json.`,
  );
  return 0;

  async function generate({ name, program, args, file }) {
    const to = join(clients, name, file);
    mkdirSync(join(clients, name), { recursive: true });
    await run(name, program, args(to));
    const bad = badNames(readFileSync(to, 'utf8'));
    if (bad.length > 0) throw new Trouble(`${name} has to write names that are not good ones: ${bad.join(', ')}`);
  }

  async function run(name, program, args) {
    mkdirSync(clients, { recursive: true });
    const log = join(logs, `${name}.log`);
    rmSync(log, { force: true });
    const task = { name, command: programOf(24), args: [openapiTool(program), ...args], cwd: clients, env: quiet, log };
    const { code } = await keeper.run(task);
    if (code !== 0) throw new Trouble(`${name} has something against docs/openapi.json.`, { log });
  }
});

/** A reader of entries, who has to be able to tell a result from an error. */
function entryReader({ entry }, index) {
  return `export const read${index} = (entry: ${entry}): string => ('error' in entry ? entry.error : entry.result);\n`;
}
