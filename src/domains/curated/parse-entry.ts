import { parse } from 'tldts';
import { parseDomain } from '../../engine/address/domain-name.js';
import { parseAddressRange } from '../../engine/dns/address-range.js';
import { normalizeName } from '../../engine/dns/domain-name.js';

/** What stands in a list, or the rule that the text breaks, in words that say what to type. */
export type ParsedEntry = { readonly ok: true; readonly entry: string } | { readonly ok: false; readonly rule: string };

const RULES = {
  domain: 'must be a domain such as example.com; it covers the names below it',
  mailSystem: 'must be a domain, a mail host or an address range such as 192.0.2.0/24 or 2001:db8::/48',
  address: 'is an address: type only its domain, what stands behind the @',
  wildcard: 'must be a domain without *: it covers the names below it as it is',
  publicSuffix: 'is a public suffix: it would cover the domains of everybody below it',
  tooWide: 'is too wide a range: type at least /8, for IPv6 at least /16',
} as const;

/** The shortest prefix of a range that is no mistake, by family. */
const WIDEST = { 4: 8, 6: 16 } as const;

/** A domain to be blocked: U-labels become A-labels; case and a dot at the end do not matter. */
export function parseBlockedDomain(text: string): ParsedEntry {
  return parseDomainEntry(text, RULES.domain);
}

/** A domain or a mail host. */
export function parseSpamTrap(text: string): ParsedEntry {
  return parseHostEntry(text, RULES.domain);
}

/** A domain, a mail host, or a range of addresses in CIDR notation; one address is a range too. */
export function parseNoProbe(text: string): ParsedEntry {
  const range = parseAddressRange(text.trim());
  if (range === null) return parseHostEntry(text, RULES.mailSystem);
  return range.prefix < WIDEST[range.family] ? refuse(RULES.tooWide) : { ok: true, entry: range.text };
}

/** Names of mail hosts may have underscores, which domains do not. */
function parseHostEntry(text: string, rule: string): ParsedEntry {
  const name = bare(text);
  const isHost = name.includes('_') && normalizeName(name) === name && parseDomain(name.replaceAll('_', 'x')).ok;
  return isHost ? { ok: true, entry: name } : parseDomainEntry(text, rule);
}

function parseDomainEntry(text: string, rule: string): ParsedEntry {
  if (text.includes('@')) return refuse(RULES.address);
  if (text.includes('*')) return refuse(RULES.wildcard);
  const name = bare(text);
  if (isPublicSuffix(name)) return refuse(RULES.publicSuffix);
  const parsed = parseDomain(name);
  if (!parsed.ok) return refuse(rule);
  return parsed.domain !== name && isPublicSuffix(parsed.domain)
    ? refuse(RULES.publicSuffix)
    : { ok: true, entry: parsed.domain };
}

/** As it is looked up; the dots are those of UTS 46. */
function bare(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.\u3002\uff0e\uff61]$/, '');
}

/** A suffix of a registry (`com`, `co.uk`). One of a hoster (`github.io`) may be listed: it is somebody's. */
function isPublicSuffix(name: string): boolean {
  const options = { extractHostname: false, validateHostname: false, allowPrivateDomains: false };
  const { publicSuffix, isIcann } = parse(name, options);
  return isIcann === true && publicSuffix === name;
}

function refuse(rule: string): ParsedEntry {
  return { ok: false, rule };
}
