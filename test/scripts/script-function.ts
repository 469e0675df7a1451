import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(__dirname, '..', '..');

/**
 * Calls an exported pure function of a script's module with JSON arguments. In a process of its own: the scripts are
 * ES modules, which jest on Node 20 cannot load.
 */
export async function callScriptFunction(file: string, name: string, ...args: unknown[]): Promise<unknown> {
  const source = [
    `import { ${name} } from ${JSON.stringify(pathToFileURL(join(root, 'scripts', 'lib', file)).href)};`,
    `process.stdout.write(JSON.stringify(await ${name}(...${JSON.stringify(args)})));`,
  ].join('\n');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
  return JSON.parse(stdout);
}
