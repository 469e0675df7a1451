import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';

/*
 * Loads the chunks of the bundle with the bytecode that V8 made of them during the build, so that a start compiles little.
 * Every program requires this module first (`rolldown.config.mjs`). V8 refuses the bytecode of another version or other
 * flags, and compiles. It does not compare sources, but the name of a chunk holds a hash of its source.
 */
const CHUNKS = join(__dirname, 'chunks') + sep;
const [BEFORE, AFTER] = ['(function (exports, require, module, __filename, __dirname) { ', '\n})'];

const extensions = require.extensions;
const loadAsUsual = extensions['.js'];

// Only Node's own loader reads source maps.
if (!process.sourceMapsEnabled) {
  extensions['.js'] = (module, file) => {
    const cache = cacheOf(file);
    if (file.startsWith(CHUNKS) && existsSync(cache)) load(module, file, readFileSync(cache));
    else loadAsUsual(module, file);
  };
}

/** Loads programs and writes what V8 has compiled of their chunks. The build calls it, without any settings: no program starts. */
export function keepCode(programs: readonly string[]): void {
  const scripts = new Map<string, Script>();
  extensions['.js'] = (module, file) => {
    if (file.startsWith(CHUNKS)) scripts.set(file, load(module, file));
    else loadAsUsual(module, file);
  };
  for (const program of programs) require(join(__dirname, `${program}.js`));
  for (const [file, script] of scripts) writeFileSync(cacheOf(file), script.createCachedData());
}

function load(module: NodeJS.Module, file: string, cachedData?: Buffer): Script {
  const source = BEFORE + readFileSync(file, 'utf8') + AFTER;
  const script = new Script(source, { filename: file, columnOffset: -BEFORE.length, cachedData });
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
  return script;
}

function cacheOf(file: string): string {
  return `${file}.cache`;
}
