import { parse } from 'tldts';
import { parseDomain } from '../../engine/address/domain-name.js';
import { parseAddressRange } from '../../engine/dns/address-range.js';
import { normalizeName } from '../../engine/dns/domain-name.js';

/** A list entry, or the violated rule, worded to tell the operator what to type. */
export type ParsedEntry = { readonly ok: true; readonly entry: string } | { readonly ok: false; readonly rule: string };

const RULES = {
  domain: 'must be a domain such as example.com; it covers the names below it',
  mailSystem: 'must be a domain, a mail host or an address range such as 192.0.2.0/24 or 2001:db8::/48',
  address: 'is an address: type only its domain, what stands behind the @',
  wildcard: 'must be a domain without *: it covers the names below it as it is',
  publicSuffix: 'is a public suffix: it would cover the domains of everybody below it',
  tooWide: 'is too wide a range: type at least /8, for IPv6 at least /16',
} as const;

/** The shortest plausible prefix of a range, by family. */
const WIDEST = { 4: 8, 6: 16 } as const;

/** A domain to block: converts U-labels to A-labels; ignores case and a trailing dot. */
export function parseBlockedDomain(text: string): ParsedEntry {
  return parseDomainEntry(text, RULES.domain);
}

/** A domain or a mail host. */
export function parseSpamTrap(text: string): ParsedEntry {
  return parseHostEntry(text, RULES.domain);
}

/** A domain, a mail host, or an address range in CIDR notation; a single address is a range too. */
export function parseNoProbe(text: string): ParsedEntry {
  const range = parseAddressRange(text.trim());
  if (range === null) return parseHostEntry(text, RULES.mailSystem);
  return range.prefix < WIDEST[range.family] ? refuse(RULES.tooWide) : { ok: true, entry: range.text };
}

/** Mail host names may contain underscores, unlike domains. */
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

/** Normalizes to the look-up form; UTS 46 defines the dots. */
function bare(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.\u3002\uff0e\uff61]$/, '');
}

/** A registry's suffix (`com`, `co.uk`). A hoster's suffix (`github.io`) may be listed, since somebody owns it. */
function isPublicSuffix(name: string): boolean {
  const options = { extractHostname: false, validateHostname: false, allowPrivateDomains: false };
  const { publicSuffix, isIcann } = parse(name, options);
  return isIcann === true && publicSuffix === name;
}

function refuse(rule: string): ParsedEntry {
  return { ok: false, rule };
}
