import type { CuratedKind } from './curated-kind.js';

/** One of the lists, as a noun of the command line. */
export interface CuratedNoun {
  readonly noun: 'blocklist' | 'spamtrap' | 'noprobe';
  readonly kind: CuratedKind;
  /** Description of the noun, for `--help`. */
  readonly description: string;
  /** Kind of entry: names the argument and the JSON field. */
  readonly subject: 'domain' | 'entry';
  readonly subjectDescription: string;
  /** The list's name in messages. */
  readonly title: string;
  /** Purpose of `--label`; null if the list has none. */
  readonly label: string | null;
  readonly importable: boolean;
  readonly parser: 'parseBlockedDomain' | 'parseSpamTrap' | 'parseNoProbe';
}

export const CURATED_NOUNS: readonly CuratedNoun[] = [
  {
    noun: 'blocklist',
    kind: 'block',
    description: 'domains that are malicious or impersonate others: addresses there are invalid',
    subject: 'domain',
    subjectDescription: 'the domain; it covers the names below it',
    title: 'the blocklist',
    label: 'short reason that results show; an empty one deletes it',
    importable: true,
    parser: 'parseBlockedDomain',
  },
  {
    noun: 'spamtrap',
    kind: 'spam_trap',
    description: 'spam traps: they are never probed, and results flag them',
    subject: 'domain',
    subjectDescription: 'the domain or mail host; it covers the names below it',
    title: 'the spam-trap registry',
    label: 'short reason, shown only in this list; an empty one deletes it',
    importable: true,
    parser: 'parseSpamTrap',
  },
  {
    noun: 'noprobe',
    kind: 'no_probe',
    description: 'mail systems that are never connected to, because their postmasters asked for it',
    subject: 'entry',
    subjectDescription: 'a domain or mail host, which covers the names below it, or an address range (CIDR)',
    title: 'the do-not-probe list',
    label: null,
    importable: false,
    parser: 'parseNoProbe',
  },
];
