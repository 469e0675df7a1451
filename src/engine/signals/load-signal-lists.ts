import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NameTable } from './name-table.js';
import { StaticSignalLists } from './static-signal-lists.js';

/** The build saves it, beside the chunk that holds this module. */
const SAVED_TABLE = join(__dirname, 'disposable-domains.table');

let loaded: StaticSignalLists | undefined;

/**
 * The shipped lists: about 138,000 disposable domains, the union of two published lists, and our own tables. The first
 * call in a process reads a file or two synchronously; later calls share the result.
 */
export function loadSignalLists(): StaticSignalLists {
  loaded ??= new StaticSignalLists(savedTable() ?? NameTable.of(Buffer.concat(readDisposableLists())));
  return loaded;
}

/** Saves the table of all disposable domains: the build calls it (`rolldown.config.mjs`), because making it takes 60 ms. */
export function saveDisposableDomains(): void {
  const names = new Set(readDisposableLists().flatMap((list) => JSON.parse(list.toString()) as string[]));
  writeFileSync(SAVED_TABLE, NameTable.of(Buffer.from([...names].join('\n'))).saved());
}

/** Null where the product is not bundled. */
function savedTable(): NameTable | null {
  return existsSync(SAVED_TABLE) ? NameTable.restore(readFileSync(SAVED_TABLE)) : null;
}

/** The published lists, each a JSON array of names. */
export function readDisposableLists(): Buffer[] {
  return [
    require.resolve('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json'),
    require.resolve('disposable-domains/index.json'),
  ].map((path) => readFileSync(path));
}
