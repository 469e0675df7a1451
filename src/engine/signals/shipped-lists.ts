import type { ListName } from './refreshable-lists.js';

/** A list shipped with the product. */
export interface ShippedList {
  readonly list: ListName;
  readonly source: string;
  readonly licence: string;
  /** npm version as pinned in package.json; null for our own tables. */
  readonly version: string | null;
  /** Date of publication, or of our own table's last review. */
  readonly dated: string;
}

const OWN = { source: 'a table of this product', licence: 'MIT', version: null } as const;

/** Source and age of the shipped lists. */
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
