'use strict';

const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const keepModules = require('./kept-modules.cjs');
const keepResolved = require('./kept-resolved.cjs');

const ofJest = createRequire(require.resolve('jest'));
const { default: Runtime } = ofJest('jest-runtime');

/** Packages that remember what was declared to them, and our own: each file loads them anew. */
const LOADED_ANEW = /^(@nestjs\/typeorm|@opentelemetry\/|@mailvet\/)/;
const inNodeModules = `${path.sep}node_modules${path.sep}`;

/** The runtime that has loaded the dependencies, and that of the file which runs. */
let dependencies = null;
let current = null;

class Dependencies extends Runtime {
  requireModuleOrMock(from, name) {
    const isOfTest = path.isAbsolute(name) && !name.includes(inNodeModules);
    return isOfTest ? current.requireModuleOrMock(from, name) : super.requireModuleOrMock(from, name);
  }

  nestLogger() {
    return this.requireModule(__filename, '@nestjs/common').Logger;
  }
}

/**
 * A process of jest loads each dependency once, not once for each of its files: thirteen files of integration tests took
 * 26 s of processor time to load, and take 12. Our own modules run anew for each file, as ever.
 */
module.exports = class SharedDependencies extends Runtime {
  constructor(...given) {
    super(...given);
    current = this;
    if (dependencies === null) {
      const [config, environment, resolver, transformer, , coverage, file] = given;
      dependencies = new Dependencies(config, environment, resolver, transformer, new Map(), coverage, file);
      dependencies.logger = dependencies.nestLogger().staticInstanceRef;
    }
    keepModules(this, () => current);
    keepResolved(given[2]);
  }

  requireModule(from, name, options, isActual) {
    const isOurs = options?.isInternalModule || !isShared(from, name);
    return isOurs ? super.requireModule(from, name, options, isActual) : dependencies.requireModule(from, name);
  }

  /** What jest gives to a file, such as `expect`. Only its runner, which it asks for by path, knows the file. */
  requireInternalModule(from, name) {
    const isRunner = name === undefined || name.startsWith('.') || path.isAbsolute(name);
    return isRunner ? super.requireInternalModule(from, name) : dependencies.requireInternalModule(from, name);
  }

  /** A file that has silenced Nest's logger, or put another in its place, does so for itself only. */
  teardown() {
    dependencies.nestLogger().overrideLogger(dependencies.logger);
    super.teardown();
  }
};

/** Jest asks for a file to be loaded before the tests (`setupFiles`) by its path alone. */
function isShared(from, name) {
  if (name === undefined) return from.includes(inNodeModules);
  return !name.startsWith('.') && !path.isAbsolute(name) && !isBuiltin(name) && !LOADED_ANEW.test(name);
}
