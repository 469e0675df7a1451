import { parseTagList } from './tag-list.js';
import type { Texts } from './texts.js';

/** A BIMI assertion record. */
export interface BimiRecord {
  /** `l`: URL of the indicator; empty if the domain shows none. */
  readonly location: string;
  /** `a`: URL of its evidence; may be empty. */
  readonly evidence: string;
  /** `lps`: local-part prefixes with their own selectors; null without the tag. */
  readonly localPartPrefixes: readonly string[] | null;
}

const VERSION = /^v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/;
const HTTPS_URI = /^https:\/\/([^\s,;/]+)(?:\/[^\s,;]*)?$/i;
const PREFIX = /^[A-Za-z0-9-]{1,63}$/;

/**
 * Parses one TXT record as a BIMI assertion record (draft-brand-indicators-for-message-identification). null if it is
 * none: the version is not exactly `BIMI1` or not first, a tag is repeated, a value is malformed. Unknown tags are
 * ignored, but a record with no other tags asserts nothing. The draft requires `l`, but records without it are in use
 * and count as having an empty one.
 */
export function parseBimiRecord(text: string): BimiRecord | null {
  if (!VERSION.test(text)) return null;
  const list = parseTagList(text);
  if (list === null || list.malformed.length > 0) return null;
  const { tags } = list;
  if (!['l', 'a', 'lps', 'avp'].some((name) => tags.has(name))) return null;
  const location = tags.get('l') ?? '';
  const evidence = tags.get('a') ?? '';
  if (![location, evidence].every((uri) => uri === '' || isHttpsUri(uri))) return null;
  const prefixes = readPrefixes(tags.get('lps'));
  const preference = tags.get('avp') ?? 'brand';
  if (prefixes === undefined || (preference !== 'brand' && preference !== 'personal')) return null;
  return { location, evidence, localPartPrefixes: prefixes };
}

/** The names of the default record: the domain's, then its organisational domain's if different. */
export function bimiNames(domain: string, organisation: string): readonly string[] {
  return [...new Set([domain, organisation])].map((name) => `default._bimi.${name}`);
}

/**
 * `bimi` of the domain object, from the texts at each of `bimiNames`. The nearest record counts. One without indicator,
 * evidence and selectors declines BIMI; several at one name all count as none.
 */
export function bimiFact(lookUps: readonly Texts[]): boolean | null {
  for (const texts of lookUps) {
    if (texts === null) return null;
    const [text, another] = texts.filter((candidate) => VERSION.test(candidate));
    if (another !== undefined) return false;
    if (text === undefined) continue;
    const record = parseBimiRecord(text);
    return record !== null && (record.location !== '' || record.evidence !== '' || record.localPartPrefixes !== null);
  }
  return false;
}

/** The host name must contain a dot. */
function isHttpsUri(text: string): boolean {
  const [, host = ''] = HTTPS_URI.exec(text) ?? [];
  return host.slice(1, -1).includes('.');
}

/** null without the tag, undefined if malformed. */
function readPrefixes(value: string | undefined): readonly string[] | null | undefined {
  if (value === undefined) return null;
  if (value === '') return [];
  const prefixes = value.split(',').map((prefix) => prefix.trim());
  return prefixes.every((prefix) => PREFIX.test(prefix)) ? prefixes : undefined;
}
