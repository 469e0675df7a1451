import { parseDomain } from '../../engine/address/domain-name.js';
import { REFRESHABLE_LISTS, type ListName } from '../../engine/signals/refreshable-lists.js';

/** A parsed published list. */
export interface ParsedList {
  /** Entries as stored and looked up, without repeats, in order. Relay entries have their service after a tab. */
  readonly entries: ReadonlySet<string>;
  /** Lines that should contain an entry. */
  readonly lines: number;
  /** Those lines without a valid entry. */
  readonly bad: number;
}

/** Lines parsed between two pauses: a few milliseconds. */
const SLICE = 1000;
const MAX_LINE = 500;
const MAX_LOCAL_PART = 40;

/**
 * Parses the usual formats of published lists: one entry per line, or a JSON array. Skips empty lines and comments
 * (`#`, `;`, `//`, `!`); a leading wildcard or dot is redundant, since a domain covers its subdomains. A line of
 * `relay` may name the service: `example.com,Example Masking`.
 * @param pause yields to other work
 */
export async function parseList(name: ListName, text: string, pause: () => Promise<void>): Promise<ParsedList> {
  const readEntry = READERS[name];
  const entries = new Set<string>();
  let [lines, bad, turn] = [0, 0, 0];
  for (const raw of itemsOf(text)) {
    turn += 1;
    if (turn % SLICE === 0) await pause();
    const line = bare(raw);
    if (line === '') continue;
    lines += 1;
    const entry = line.length > MAX_LINE ? null : readEntry(line);
    if (entry === null) bad += 1;
    else entries.add(entry);
    // Stop collecting: `judgeList` refuses a list with too many entries.
    if (entries.size > REFRESHABLE_LISTS[name].maxEntries) break;
  }
  return { entries, lines, bad };
}

/** Iterates over lines without building an array of them; or over the items of a JSON array. */
function* itemsOf(text: string): Generator<string> {
  const begin = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const json = text.startsWith('[', begin) ? arrayIn(text.slice(begin)) : null;
  if (json !== null) {
    for (const item of json) yield typeof item === 'string' ? item : '?';
    return;
  }
  for (let start = begin; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    yield text.slice(start, end);
    start = end + 1;
  }
}

function arrayIn(text: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Strips white space and comments. */
function bare(line: string): string {
  const text = line.trim();
  if (/^(?:[#;!]|\/\/)/.test(text)) return '';
  const comment = text.search(/\s[#;]/);
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}

type Reader = (line: string) => string | null;

const READERS: Readonly<Record<ListName, Reader>> = {
  disposable: readDomain,
  'disposable-mx': readDomain,
  freemail: readDomain,
  relay: readRelay,
  role: readLocalPart,
};

function readDomain(line: string): string | null {
  const name = line
    .toLowerCase()
    .replace(/^(?:\*?\.|@)/, '')
    .replace(/\.$/, '');
  const parsed = parseDomain(name);
  return parsed.ok ? parsed.domain : null;
}

function readRelay(line: string): string | null {
  const [, name = line, service = ''] = /^([^,;\t]+)[,;\t](.*)$/.exec(line) ?? [];
  const domain = readDomain(name.trim());
  const provider = service.trim().replaceAll(/^"|"$/g, '');
  if (domain === null || provider.length > 60 || /[\p{C}\t]/u.test(provider)) return null;
  return provider === '' ? domain : `${domain}\t${provider}`;
}

/** Hyphens are the separators; look-ups may leave them out. */
function readLocalPart(line: string): string | null {
  const word = line.toLowerCase().replaceAll(/[._-]+/g, '-');
  return word.length <= MAX_LOCAL_PART && /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(word) ? word : null;
}
