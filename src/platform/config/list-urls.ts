import { LIST_NAMES, type ListName } from '../../engine/signals/refreshable-lists.js';

/** The URL to fetch a list from. */
export interface ListUrl {
  readonly name: ListName;
  /** `http:` or `https:`; its query may contain a token. */
  readonly url: URL;
}

const MAX_LENGTH = 1000;

/**
 * Reads `LIST_URLS`: a comma list of `name=url`; `none` for none. A comma in a URL is written `%2C`.
 * @throws RangeError that names the entry's number and the rule, never its text
 */
export function parseListUrls(text: string): readonly ListUrl[] {
  if (text.trim().toLowerCase() === 'none') return [];
  const lists = text.split(',').map((entry, index) => parseEntry(entry.trim(), `entry ${index + 1}`));
  if (new Set(lists.map(({ name }) => name)).size < lists.length) throw new RangeError('must name each list once');
  return lists;
}

function parseEntry(entry: string, which: string): ListUrl {
  const equals = entry.indexOf('=');
  const named = entry.slice(0, Math.max(equals, 0)).trim().toLowerCase();
  const name = LIST_NAMES.find((known) => known === named);
  if (name === undefined)
    throw new RangeError(`${which} must be <name>=<URL>, with a name of ${LIST_NAMES.join(', ')}`);
  const address = entry.slice(equals + 1).trim();
  const url = address.length <= MAX_LENGTH && URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new RangeError(`${which} must have an http:// or https:// URL of at most ${MAX_LENGTH} characters`);
  }
  if (url.username !== '' || url.password !== '') throw new RangeError(`${which} must hold no user and no password`);
  return { name, url };
}
