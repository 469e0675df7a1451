import { NO_NAMES, type Names } from './listed-name.js';
import { NameTable } from './name-table.js';
import type { ListName } from './refreshable-lists.js';

/** Lists fetched at run time, which extend the shipped ones. Immutable once shared. */
export interface AddedLists {
  readonly disposable: Names;
  readonly disposableMailHosts: Names;
  readonly freemail: Names;
  /** Domain to service. */
  readonly relays: ReadonlyMap<string, string>;
  readonly roleWords: Names;
}

export const NOTHING_ADDED: AddedLists = {
  disposable: NO_NAMES,
  disposableMailHosts: NO_NAMES,
  freemail: NO_NAMES,
  relays: new Map(),
  roleWords: NO_NAMES,
};

/** Yields to other work. */
type Pause = () => Promise<void>;

const BUILDERS: Readonly<Record<ListName, (text: Buffer, pause: Pause) => Promise<Partial<AddedLists>>>> = {
  disposable: async (text, pause) => ({ disposable: await NameTable.build(text, pause) }),
  'disposable-mx': async (text, pause) => ({ disposableMailHosts: await NameTable.build(text, pause) }),
  freemail: async (text, pause) => ({ freemail: await NameTable.build(text, pause) }),
  relay: (text) => Promise.resolve({ relays: new Map(linesOf(text).map(relayOf)) }),
  role: (text) =>
    Promise.resolve({ roleWords: new Set(linesOf(text).flatMap((word) => [word, word.replaceAll('-', '')])) }),
};

/**
 * Builds the look-up form, yielding every millisecond or two.
 * @param text one entry a line; a relay has its service behind a tab
 */
export function buildAddedList(name: ListName, text: Buffer, pause: Pause): Promise<Partial<AddedLists>> {
  return BUILDERS[name](text, pause);
}

const FIELDS: Readonly<Record<ListName, keyof AddedLists>> = {
  disposable: 'disposable',
  'disposable-mx': 'disposableMailHosts',
  freemail: 'freemail',
  relay: 'relays',
  role: 'roleWords',
};

/** The empty list that replaces a removed one. */
export function noAddedList(name: ListName): Partial<AddedLists> {
  return { [FIELDS[name]]: NOTHING_ADDED[FIELDS[name]] };
}

function linesOf(text: Buffer): string[] {
  return text
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}

function relayOf(line: string): [string, string] {
  const [domain = '', service = domain] = line.split('\t');
  return [domain, service];
}
