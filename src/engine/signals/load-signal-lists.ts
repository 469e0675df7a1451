import { readFileSync } from 'node:fs';
import { NameTable } from './name-table.js';
import { StaticSignalLists } from './static-signal-lists.js';

let loaded: StaticSignalLists | undefined;

/**
 * The shipped lists: about 138,000 disposable domains, the union of two published lists, and our own tables. The first
 * call in a process reads two files synchronously; later calls share the result.
 */
export function loadSignalLists(): StaticSignalLists {
  loaded ??= read();
  return loaded;
}

function read(): StaticSignalLists {
  const texts = [
    require.resolve('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
    require.resolve('disposable-domains/index.json'),
  ].map((path) => readFileSync(path));
  return new StaticSignalLists(NameTable.of(Buffer.concat(texts)));
}
