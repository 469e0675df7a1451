import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';
import { isDomainSpec, isMacroString } from './spf-domain-spec.js';
import { MAX_TEXT_OCTETS, type Texts } from './texts.js';

/** SPF state of a domain's TXT records. `permerror` as in RFC 7208 2.6.7: published but unusable. */
export type SpfReading = 'none' | 'valid' | 'permerror';

const VERSION = /^v=spf1(?: |$)/i;
/**
 * Limit of terms that need a DNS look-up; more are a permerror (RFC 7208 4.6.4). Nobody evaluates the mechanisms behind
 * `all` (5.1), nor a redirect beside it (6.1).
 */
const MAX_LOOKUP_TERMS = 10;

/**
 * Selects and parses the SPF record among a domain's TXT records (RFC 7208 4.5, 4.6).
 *
 * Reports a permerror only if it is certain without further look-ups: two records of the version, a syntax error, or
 * more than ten terms that need look-ups. Included or redirected records are not read.
 */
export function readSpf(texts: readonly string[]): SpfReading {
  const records = texts.filter((text) => VERSION.test(text));
  const [record] = records;
  if (record === undefined) return 'none';
  return records.length === 1 && isValidSpfRecord(record) ? 'valid' : 'permerror';
}

/** `spf` of the domain object: a working record. A permerror is false: no receiver can use it. */
export function spfFact(texts: Texts): boolean | null {
  return texts === null ? null : readSpf(texts) === 'valid';
}

/**
 * Checks the syntax of one record, including its version (RFC 7208 12). Over 2 KB, which few receivers read, it is
 * invalid.
 */
export function isValidSpfRecord(record: string): boolean {
  if (record.length > MAX_TEXT_OCTETS || !VERSION.test(record)) return false;
  const terms = record.split(' ').filter((term) => term !== '');
  const kinds = terms.slice(1).map((term) => readTerm(term));
  const all = kinds.indexOf('all');
  const count = (wanted: Term, among = kinds): number => among.filter((kind) => kind === wanted).length;
  const lookUps = all < 0 ? count('lookup') + count('redirect') : count('lookup', kinds.slice(0, all));
  return !kinds.includes(null) && count('redirect') <= 1 && count('exp') <= 1 && lookUps <= MAX_LOOKUP_TERMS;
}

/** `lookup`: a mechanism that needs DNS; `plain`: another mechanism than `all`, or an unknown modifier. */
type Term = 'all' | 'lookup' | 'plain' | 'redirect' | 'exp';

const MODIFIER = /^([a-z][a-z0-9_.-]*)=/i;
const DIRECTIVE = /^[+\-?~]?([a-z][a-z0-9]*)/i;

/** null for a syntax error. */
function readTerm(term: string): Term | null {
  const [modifier, name] = MODIFIER.exec(term) ?? [];
  return modifier === undefined || name === undefined
    ? readMechanism(term)
    : readModifier(name.toLowerCase(), term.slice(modifier.length));
}

function readModifier(name: string, value: string): Term | null {
  // A known modifier with an invalid value is an error, not an unknown modifier.
  if (name === 'redirect' || name === 'exp') return isDomainSpec(value) ? name : null;
  return isMacroString(value) ? 'plain' : null;
}

function readMechanism(term: string): Term | null {
  const [directive = '', name] = DIRECTIVE.exec(term) ?? [];
  const rest = term.slice(directive.length);
  const kind = (right: boolean, is: Term): Term | null => (right ? is : null);
  switch (name?.toLowerCase()) {
    case 'all':
      return kind(rest === '', 'all');
    case 'include':
    case 'exists':
      return kind(isColonDomain(rest), 'lookup');
    case 'ptr':
      return kind(rest === '' || isColonDomain(rest), 'lookup');
    case 'a':
    case 'mx':
      return kind(isColonDomainWithPrefix(rest), 'lookup');
    case 'ip4':
      return kind(isNetwork(rest, parseIpv4, 32), 'plain');
    case 'ip6':
      return kind(isNetwork(rest, parseIpv6, 128), 'plain');
    default:
      return null;
  }
}

function isColonDomain(rest: string): boolean {
  return rest.startsWith(':') && isDomainSpec(rest.slice(1));
}

/** `[":" domain-spec] ["/" ip4-cidr] ["//" ip6-cidr]`; a domain-spec may contain a slash. */
function isColonDomainWithPrefix(rest: string): boolean {
  const [behind = '', ip4, ip6] = /(?:\/(\d+))?(?:\/\/(\d+))?$/.exec(rest) ?? [];
  const domain = rest.slice(0, rest.length - behind.length);
  if (!isPrefixLength(ip4, 32) || !isPrefixLength(ip6, 128)) return false;
  return domain === '' || isColonDomain(domain);
}

function isNetwork(rest: string, parse: (ip: string) => unknown, bits: number): boolean {
  const [, ip = '', prefix] = /^:([^/]+)(?:\/(\d+))?$/.exec(rest) ?? [];
  return parse(ip) !== null && isPrefixLength(prefix, bits);
}

/** RFC 7208 12: no leading zeros. Optional. */
function isPrefixLength(digits: string | undefined, bits: number): boolean {
  return digits === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(digits) && Number(digits) <= bits);
}
