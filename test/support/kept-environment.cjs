'use strict';

const asyncHooks = require('node:async_hooks');
const { createRequire } = require('node:module');
const v8 = require('node:v8');
const { OperatorProcess } = require('./kept-operator.cjs');

const ofJest = createRequire(require.resolve('jest'));
const { TestEnvironment } = ofJest('jest-environment-node');

const nodeVersion = Number.parseInt(process.versions.node, 10);

/** Most functions of a test run too briefly to repay what V8 takes to optimise them. Later versions of V8 have no such setting. */
if (nodeVersion === 20) v8.setFlagsFromString('--interrupt-budget=400000');

let kept = null;

/**
 * Jest opens an asynchronous context for each file and never closes it. Before version 24, Node writes every open one into every
 * promise: after a hundred files, that takes more processor time than many tests.
 */
const contexts = new Set();
if (nodeVersion < 24) {
  asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...given) {
      super(...given);
      contexts.add(this);
    }
  };
}

/**
 * One sandbox for all files that a process of jest runs, so that these can share their dependencies
 * (shared-dependencies.cjs). Jest makes one for each file.
 */
module.exports = function environment(...given) {
  kept ??= new KeptEnvironment(...given);
  return kept;
};

/** What a file sets or changes among the globals is undone after it. */
class KeptEnvironment extends TestEnvironment {
  constructor(...given) {
    super(...given);
    const { process } = this.global;
    // The process of operator commands is kept too.
    this.global.operators = { shared: new OperatorProcess(), OperatorProcess };
    this.global.answers = { checker: null };
    this.globals = propertiesOf(this.global);
    this.properties = propertiesOf(process);
    // Without these, nobody listens.
    for (const name of ['_events', '_eventsCount']) this.properties.delete(name);
    this.variables = propertiesOf(process.env);
  }

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    // One of a dependency opens again when it is next used.
    for (const context of contexts) context.disable();
    contexts.clear();
    restore(this.global, this.globals);
    const { process } = this.global;
    restore(process, this.properties);
    restore(process.env, this.variables);
    // What was deleted from the globals is kept by this, with all modules that it leads to.
    this['_globalProxy'].leftovers = [];
  }
}

function propertiesOf(object) {
  return new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key)]));
}

function restore(object, properties) {
  for (const key of Reflect.ownKeys(object)) {
    if (!properties.has(key)) Reflect.deleteProperty(object, key);
  }
  for (const [key, property] of properties) {
    const now = Object.getOwnPropertyDescriptor(object, key);
    const isSame = now && now.value === property.value && now.get === property.get;
    if (!isSame && now?.configurable !== false) Object.defineProperty(object, key, property);
  }
}
