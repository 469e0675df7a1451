'use strict';

const { statSync } = require('node:fs');
const moduleScript = require('./module-script.cjs');

/** What this process of jest has transformed and compiled, by the name of the file. */
const transformed = new Map();
const compiled = new Map();

/**
 * Each file of tests runs its modules anew, as ever, but a process of jest reads, transforms and compiles a module once, and
 * again only when it has changed. Jest does it for each file of tests: loading the whole product took 1.0 s of processor
 * time, and takes 0.4.
 * @param runtime of one file of tests
 * @param current tells which one runs
 */
module.exports = function keepModules({ transformCache, executor }, current) {
  const transform = transformCache.transform.bind(transformCache);
  const compile = executor.compile.bind(executor);

  transformCache.transform = (file, options) => {
    if (options?.isInternalModule) return transform(file, options);
    const { mtimeMs } = statSync(file);
    const kept = transformed.get(file);
    if (kept?.mtimeMs !== mtimeMs) {
      const code = transform(file, options);
      transformed.set(file, { mtimeMs, result: transformCache.transforms.get(file) });
      return code;
    }
    const { result } = kept;
    transformCache.transforms.set(file, result);
    if (result.sourceMapPath) transformCache.sourceMaps.set(file, result.sourceMapPath);
    return result.code;
  };

  executor.compile = (code, file) => {
    const context = executor.environment.getVmContext();
    if (context === null) return compile(code, file);
    if (compiled.get(file)?.code !== code) {
      const script = moduleScript(code, file, executor, () => current().executor);
      // Jest says best what is wrong with it.
      if (script === null) return compile(code, file);
      compiled.set(file, { code, script });
    }
    return compiled.get(file).script.runInContext(context);
  };
};
