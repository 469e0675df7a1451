import { getPublicSuffix } from 'tldts';
import { listedName, type Names } from '../../engine/signals/listed-name.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import { REFRESHABLE_LISTS, type ListName } from '../../engine/signals/refreshable-lists.js';
import { PROVIDER_TABLE } from '../../engine/smtp/providers/provider-table.js';
import { BIG_PROVIDERS, FIRST_NAMES } from './data/never-listed.js';
import type { ParsedList } from './parse-list.js';

/** Why a list is refused: the label of the metric. */
export const LIST_FAULTS = ['empty', 'unreadable', 'too_many', 'shrunk', 'names_known_good'] as const;
export type ListFault = (typeof LIST_FAULTS)[number];

export type ListJudgement =
  | { readonly kind: 'good'; readonly entries: readonly string[]; readonly passedOver: number }
  | { readonly kind: 'refused'; readonly why: ListFault; readonly said: string };

/** The lists to compare a fetched one with. */
export type ShippedLists = Pick<SignalLists, 'isAllowListed' | 'isDisposableDomain'>;

/** Every long list has some ineffective entries; a larger share means that it is another kind of list. */
const MAX_PASSED_OVER_SHARE = 0.02;
/** Ineffective entries that even a short list may have. */
const PASSED_OVER_FORGIVEN = 20;
/** Entries judged between two pauses: a few milliseconds. */
const SLICE = 1000;

const providerHosts = PROVIDER_TABLE.flatMap(({ hosts }) => hosts.filter((host) => !host.includes('*')));

/**
 * Decides whether to accept a list (decisions 5.1 row 4: it must not lie). Accepts single mistakes, such as a public
 * suffix or a freemail domain among disposable ones. Refuses a list that is full of them, names a well-known provider,
 * is hardly readable, or has shrunk by half.
 * @param inForce entries of the list in force from the same source; null if there is none
 * @param shipped the shipped lists it extends
 */
export async function judgeList(
  name: ListName,
  { entries, lines, bad }: ParsedList,
  inForce: number | null,
  shipped: ShippedLists,
  pause: () => Promise<void>,
): Promise<ListJudgement> {
  const { maxEntries } = REFRESHABLE_LISTS[name];
  if (lines === 0) return refused('empty', 'it holds no entry');
  if (bad * 2 > lines)
    return refused('unreadable', `${bad} of ${lines} lines hold no ${REFRESHABLE_LISTS[name].entry}`);
  if (entries.size > maxEntries) return refused('too_many', `it holds more than ${maxEntries} entries`);

  const names = namesOf(name, entries);
  const knownGood = FORBIDDEN[name].find((good) => covers(names, good));
  if (knownGood !== undefined) return refused('names_known_good', `it names ${knownGood}`);

  const kept: string[] = [];
  let turn = 0;
  for (const entry of entries) {
    turn += 1;
    if (turn % SLICE === 0) await pause();
    if (!isWrong(name, entry.split('\t', 1)[0] ?? entry, shipped)) kept.push(entry);
  }
  const passedOver = entries.size - kept.length;
  if (passedOver > Math.max(PASSED_OVER_FORGIVEN, entries.size * MAX_PASSED_OVER_SHARE) || kept.length === 0)
    return refused('names_known_good', `${passedOver} of its ${entries.size} entries are ${WRONG[name]}`);
  if (inForce !== null && kept.length * 2 <= inForce)
    return refused('shrunk', `it shrank from ${inForce} entries to ${kept.length}`);
  return { kind: 'good', entries: kept, passedOver };
}

function refused(why: ListFault, said: string): ListJudgement {
  return { kind: 'refused', why, said };
}

/** An entry for a whole zone has no effect, so it covers nobody. */
function covers(names: Names, good: string): boolean {
  const listed = listedName(names, good);
  return listed !== null && (listed === good || !isPublicSuffix(listed));
}

/** Entries that a list of this name can't contain. */
const FORBIDDEN: Readonly<Record<ListName, readonly string[]>> = {
  disposable: BIG_PROVIDERS,
  'disposable-mx': [...BIG_PROVIDERS, ...providerHosts],
  // Calling these freemail does no harm; disposable domains in the list show that it is wrong.
  freemail: [],
  relay: BIG_PROVIDERS,
  role: FIRST_NAMES,
};

const WRONG: Readonly<Record<ListName, string>> = {
  disposable: 'public suffixes, or known for freemail or relays',
  'disposable-mx': 'public suffixes, or known for freemail or relays',
  freemail: 'public suffixes, or known for throw-away addresses',
  relay: 'public suffixes',
  role: 'no words',
};

/** Whether an entry is a mistake, to be skipped: it has no effect beside the shipped lists. */
function isWrong(name: ListName, entry: string, shipped: ShippedLists): boolean {
  if (name === 'role') return false;
  if (isPublicSuffix(entry)) return true;
  if (name === 'freemail') return shipped.isDisposableDomain(entry);
  return name === 'relay' ? false : shipped.isAllowListed(entry);
}

function isPublicSuffix(name: string): boolean {
  return getPublicSuffix(name, { allowPrivateDomains: true, validateHostname: false, extractHostname: false }) === name;
}

/** Entries of a relay list without their services. */
function namesOf(name: ListName, entries: ReadonlySet<string>): Names {
  return name === 'relay' ? new Set([...entries].map((entry) => entry.split('\t', 1)[0] ?? entry)) : entries;
}
