import { builtinModules } from 'node:module';
import { defineConfig } from 'rolldown';

/**
 * Bundles the compiled modules of `.local/build/product` into `dist/`: a process then loads some files instead of 2,100
 * modules, in half the processor time. Nothing is minified, and names of classes stay as they are: Nest, TypeORM and
 * the API's description use them.
 */
const roles = ['main', 'worker', 'console', 'cli'];

/** Packages with files of their own that they read at run time: native code, threads, pages and lists. */
const withFiles = ['@node-rs/argon2', 'pino', 'swagger-ui-dist', 'disposable-domains', 'disposable-email-domains-js'];

export default defineConfig({
  input: Object.fromEntries(roles.map((role) => [role, `./.local/build/product/${role}.js`])),
  platform: 'node',
  external: [...builtinModules, ...withFiles.map((name) => new RegExp(`^${name}(/|$)`))],
  plugins: [withoutClassesOfOldTypeOrm()],
  // Drivers and adapters that are not installed stay `require` calls in the packages that offer them.
  // Nor does health of packages that are not installed matter, which terminus asks `import.meta` for.
  checks: { unresolvedImport: false, emptyImportMeta: false },
  output: {
    dir: 'dist',
    cleanDir: true,
    format: 'cjs',
    sourcemap: true,
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
});

/** @nestjs/typeorm looks in `node_modules` for two classes that TypeORM 1 no longer has, and would load a second TypeORM. */
function withoutClassesOfOldTypeOrm() {
  return {
    name: 'without-classes-of-old-typeorm',
    load(id) {
      if (!id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')) return null;
      return 'export const Connection = undefined; export const AbstractRepository = undefined;';
    },
  };
}
