import { isIP } from 'node:net';

/** One entry of `SMTP_EGRESS`. */
export type EgressEntry =
  | {
      readonly kind: 'direct';
      readonly ipv4: string | null;
      readonly ipv6: string | null;
      readonly heloName: string;
    }
  | {
      readonly kind: 'socks5';
      readonly host: string;
      readonly port: number;
      readonly login: { readonly user: string; readonly password: string } | null;
      readonly heloName: string;
    };

/** The entry and the rule it breaks. Contains no part of the entry, which may hold a password. */
export interface EgressFault {
  /** Counted from 1. */
  readonly entry: number;
  readonly rule: string;
}

export type ParsedEgress =
  | { readonly ok: true; readonly entries: readonly EgressEntry[] }
  | { readonly ok: false; readonly faults: readonly EgressFault[] };

const SOCKS_PORT = 1080;

/**
 * Reads `SMTP_EGRESS`, a comma list of `<route>=<HELO name>`:
 * - `198.51.100.7=mx1.example.com`: a source address of this machine;
 * - `198.51.100.7+2001:db8::7=mx1.example.com`: one of each family, where the name resolves to both: only such an egress
 *   reaches hosts over IPv6 that have IPv4 too;
 * - `socks5://user:password@proxy.example.com:1080=mx2.example.com`: a proxy; user, password and port may be left out, and
 *   `,` `=` `@` `:` in user or password are percent-encoded.
 *
 * All faults are reported at once.
 */
export function parseSmtpEgress(text: string): ParsedEgress {
  const entries: EgressEntry[] = [];
  const faults: EgressFault[] = [];
  const seen = new Set<string>();
  for (const [index, part] of text.split(',').entries()) {
    const parsed = parseEntry(part.trim());
    const rule = typeof parsed === 'string' ? parsed : seen.has(egressId(parsed)) ? 'stands in the list twice' : null;
    if (rule !== null) faults.push({ entry: index + 1, rule });
    if (typeof parsed === 'string') continue;
    seen.add(egressId(parsed));
    entries.push(parsed);
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, entries };
}

/** The stable id of an entry: route and identity, without user and password. */
export function egressId(entry: EgressEntry): string {
  if (entry.kind === 'socks5') return `socks5:${entry.host}:${entry.port}/${entry.heloName}`;
  const addresses = [entry.ipv4, entry.ipv6].filter((address) => address !== null).join('+');
  return `direct${addresses === '' ? '' : `:${addresses}`}/${entry.heloName}`;
}

/**
 * True for a name that mail hosts accept in EHLO: a host name with a dot (RFC 5321 2.3.5); many refuse a bare or local
 * name.
 */
export function isHeloName(text: string): boolean {
  const labels = text.split('.');
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

/** The entry, or the rule it breaks. */
function parseEntry(text: string): EgressEntry | string {
  const equals = text.lastIndexOf('=');
  if (equals === -1) return 'must be <source address or socks5 URL>=<HELO name>';
  const way = text.slice(0, equals).trim();
  const heloName = text
    .slice(equals + 1)
    .trim()
    .toLowerCase()
    .replace(/\.$/, '');
  if (!isHeloName(heloName)) return 'its HELO name must be a host name with a dot';
  return /^[a-z0-9]+:\/\//i.test(way) ? parseProxy(way, heloName) : parseSource(way, heloName);
}

function parseSource(way: string, heloName: string): EgressEntry | string {
  const addresses = way.split('+').map((address) => address.trim().toLowerCase());
  const families = addresses.map((address) => isIP(address));
  if (families.includes(0)) return 'its source must be an IP address, or one of each family joined by +';
  if (new Set(families).size < families.length) return 'its source may have one address of each family';
  const ipv4 = addresses[families.indexOf(4)] ?? null;
  const ipv6 = addresses[families.indexOf(6)] ?? null;
  return { kind: 'direct', ipv4, ipv6, heloName };
}

function parseProxy(way: string, heloName: string): EgressEntry | string {
  if (!/^socks5:\/\//i.test(way)) return 'its proxy must be socks5://';
  if (!URL.canParse(way)) return 'its proxy must be socks5://[user:password@]host[:port]';
  const url = new URL(way);
  const bare = (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === '';
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (!bare || host === '') return 'its proxy must be socks5://[user:password@]host[:port]';
  if ((url.username === '') !== (url.password === '')) return 'its proxy needs both user and password, or neither';
  const user = decode(url.username);
  const password = decode(url.password);
  // RFC 1929 stores each length in one octet.
  if (user === null || password === null || Buffer.byteLength(user) > 255 || Buffer.byteLength(password) > 255) {
    return 'its user and password must be percent-encoded UTF-8 of at most 255 bytes';
  }
  const login = user === '' ? null : { user, password };
  return { kind: 'socks5', host, port: url.port === '' ? SOCKS_PORT : Number(url.port), login, heloName };
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
