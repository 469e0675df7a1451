'use strict';

const path = require('node:path');

const kept = new WeakSet();

/**
 * Our modules ask for each other by `./name.js`, which stands for `name.ts`. Jest looks for the file several times for each
 * module of each file of tests; a process of jest now does so once.
 * @param resolver of one kind of tests
 */
module.exports = function keepResolved(resolver) {
  if (kept.has(resolver)) return;
  kept.add(resolver);
  const resolve = resolver.resolveStubModuleName.bind(resolver);
  const found = new Map();

  resolver.resolveStubModuleName = (from, name, options) => {
    if (!name.startsWith('.')) return resolve(from, name, options);
    const key = `${path.dirname(from)}\0${name}`;
    if (!found.has(key)) found.set(key, resolve(from, name, options));
    return found.get(key);
  };
};
