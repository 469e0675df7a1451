import { readFileSync } from 'node:fs';
import type { SignalLists } from './lists.js';
import { NameTable } from './name-table.js';
import { StaticSignalLists } from './static-signal-lists.js';

let loaded: SignalLists | undefined;

/**
 * The lists shipped with the product: about 138,000 disposable domains, the union of two published lists, and our own
 * tables. Reads two files synchronously, the first time that a process calls it: everybody in it shares them.
 */
export function loadSignalLists(): SignalLists {
  loaded ??= read();
  return loaded;
}

function read(): SignalLists {
  const texts = [
    require.resolve('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
    require.resolve('disposable-domains/index.json'),
  ].map((path) => readFileSync(path));
  return new StaticSignalLists(new NameTable(Buffer.concat(texts)));
}
