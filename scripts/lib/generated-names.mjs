/** Names that every program knows already: a generated type of that name hides them. */
const known = new Set(Object.getOwnPropertyNames(globalThis));
const declared = /^export (?:declare )?(?:const|class|function|interface|type|enum) (\w+)/gm;

/**
 * Names that a generator should not have had to make up.
 * @param {string} source what a generator wrote
 * @returns {string[]} those that hide a name of the language, and those numbered because another one was there before
 * @public for the tests
 */
export function badNames(source) {
  const names = [...source.matchAll(declared)].map(([, name]) => name);
  return [...new Set(names)].filter((name) => known.has(name) || /[a-z]\d$/i.test(name));
}
