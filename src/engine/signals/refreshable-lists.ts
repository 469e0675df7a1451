/** The names in `LIST_URLS`. */
export const LIST_NAMES = ['disposable', 'disposable-mx', 'freemail', 'relay', 'role'] as const;
export type ListName = (typeof LIST_NAMES)[number];

export interface RefreshableList {
  /** The kind of entry; mail hosts are names like domains. */
  readonly entry: 'domain' | 'mail host' | 'local part';
  /** A longer list is refused as not of this kind. */
  readonly maxEntries: number;
  /** The effect of being listed, for the documentation. */
  readonly effect: string;
}

/**
 * Lists fetched at run time and merged with the shipped ones. A refresh never removes a shipped entry, so a source that
 * vanishes or goes wrong leaves the product as it was built.
 */
export const REFRESHABLE_LISTS: Readonly<Record<ListName, RefreshableList>> = {
  disposable: {
    entry: 'domain',
    maxEntries: 1_000_000,
    effect: 'addresses there and below are `disposable`, unless the domain is on the freemail or relay list',
  },
  'disposable-mx': {
    entry: 'mail host',
    maxEntries: 10_000,
    effect: 'domains whose mail hosts stand there or below are `disposable`, with the same exception',
  },
  freemail: {
    entry: 'domain',
    maxEntries: 50_000,
    effect: '`free_email` is true there and below, the domain is `freemail` and `public`, and never `disposable`',
  },
  relay: {
    entry: 'domain',
    maxEntries: 5000,
    effect: '`relay` is true there and below, with its `relay_provider`, and the domain is never `disposable`',
  },
  role: {
    entry: 'local part',
    maxEntries: 5000,
    effect: 'the local part is a `role`, with or without its separators, a tag, and qualifiers',
  },
};
