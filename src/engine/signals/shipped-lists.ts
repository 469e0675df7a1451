import type { ListName } from './refreshable-lists.js';

/** A list as it is shipped. */
export interface ShippedList {
  readonly list: ListName;
  readonly source: string;
  readonly licence: string;
  /** Of an npm package, as package.json pins it; null for a table of our own. */
  readonly version: string | null;
  /** When it was published, or the table last gone through. */
  readonly dated: string;
}

const OWN = { source: 'a table of this product', licence: 'MIT', version: null } as const;

/** Where the shipped lists are from and how old they are. */
export const SHIPPED_LISTS: readonly ShippedList[] = [
  {
    list: 'disposable',
    source: 'npm package disposable-email-domains-js',
    licence: 'CC0-1.0',
    version: '1.26.0',
    dated: '2026-09-21',
  },
  {
    list: 'disposable',
    source: 'npm package disposable-domains',
    licence: 'MIT',
    version: '2.0.1',
    dated: '2026-08-24',
  },
  { list: 'disposable-mx', ...OWN, dated: '2026-11-28' },
  { list: 'freemail', ...OWN, dated: '2026-11-28' },
  { list: 'relay', ...OWN, dated: '2026-11-28' },
  { list: 'role', ...OWN, dated: '2026-11-28' },
];
