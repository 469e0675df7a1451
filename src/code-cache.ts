// First of all: a bundle does not keep the order in which modules of several chunks run.
import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
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
const requireAsUsual = createRequire(CHUNKS);
/** Chunks name each other by file, so a hundred of them need none of Node's searches. */
const requireFromChunk = Object.assign(
  (id: string): unknown => (id.startsWith('./') ? exportsOf(join(CHUNKS, id)) : requireAsUsual(id)),
  requireAsUsual,
);
/** The scripts of chunks, while their bytecode is to be kept. */
let scripts: Map<string, Script> | undefined;

// Only Node's own loader reads source maps.
if (!process.sourceMapsEnabled) {
  extensions['.js'] = (module, file) => {
    if (file.startsWith(CHUNKS)) load(module, file);
    else loadAsUsual(module, file);
  };
}

/** Loads programs and writes what V8 has compiled of their chunks. The build calls it, without any settings: no program starts. */
export function keepCode(programs: readonly string[]): void {
  scripts = new Map();
  for (const program of programs) require(join(__dirname, `${program}.js`));
  for (const [file, script] of scripts) writeFileSync(cacheOf(file), script.createCachedData());
}

function exportsOf(file: string): unknown {
  const before = require.cache[file];
  if (before !== undefined) return before.exports;
  const module = new Module(file);
  require.cache[file] = module;
  load(module, file);
  module.loaded = true;
  return module.exports;
}

function load(module: NodeJS.Module, file: string): void {
  const source = BEFORE + readFileSync(file, 'utf8') + AFTER;
  const script = new Script(source, { filename: file, columnOffset: -BEFORE.length, cachedData: readCache(file) });
  scripts?.set(file, script);
  const run = script.runInThisContext() as (...args: unknown[]) => void;
  run.call(module.exports, module.exports, requireFromChunk, module, file, dirname(file));
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(cacheOf(file));
  } catch {
    return undefined;
  }
}

function cacheOf(file: string): string {
  return `${file}.cache`;
}
