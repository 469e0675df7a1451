import { normalizeName } from '../../engine/dns/domain-name.js';
import { parseIpv4, parseIpv6 } from '../../engine/dns/ip-address.js';
import { isPublicAddress } from '../../engine/dns/public-address.js';

export const MAX_URL_LENGTH = 2048;

export interface UrlRules {
  /** `SMTP_ALLOW_PRIVATE_NETWORKS`: for laboratories. */
  readonly allowPrivateNetworks: boolean;
}

/** Where a delivery goes. */
export interface Target {
  /** A name or an IP address, without brackets. */
  readonly host: string;
  readonly port: number;
  /** Path and query. */
  readonly path: string;
  /** Without TLS. */
  readonly plain: boolean;
}

export type ReadUrl =
  | { readonly ok: true; readonly href: string; readonly target: Target }
  | { readonly ok: false; readonly rule: string };

/** Reads the URL of an endpoint. The addresses of its name are checked at each delivery. */
export function readEndpointUrl(text: string, { allowPrivateNetworks }: UrlRules): ReadUrl {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return broken('must be a URL');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return broken('must not contain credentials');
  if (url.hash !== '' || url.href.endsWith('#')) return broken('must not contain a fragment');
  const host = hostIn(url);
  const isLocal = allowPrivateNetworks && host !== null && isLoopback(host);
  const plain = url.protocol === 'http:';
  if (url.protocol !== 'https:' && !(plain && isLocal)) return broken('must begin with https://');
  if (host === null) return broken('must have the name or the address of a host');
  if (url.port === '0') return broken('must not have the port 0');
  if (isAddress(host) && !allowPrivateNetworks && !isPublicAddress(host)) return broken('must have a public address');
  if (url.href.length > MAX_URL_LENGTH) return broken(`must have at most ${MAX_URL_LENGTH} characters`);
  const target = {
    host: isLocal && host === 'localhost' ? '127.0.0.1' : host,
    port: url.port === '' ? (plain ? 80 : 443) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    plain,
  };
  return { ok: true, href: url.href, target };
}

function broken(rule: string): ReadUrl {
  return { ok: false, rule };
}

/** Without brackets and last dot; null if it is no name that can be looked up. */
function hostIn({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isAddress(host)) return host;
  const name = normalizeName(host);
  return name === '.' ? null : name;
}

function isAddress(host: string): boolean {
  return parseIpv4(host) !== null || parseIpv6(host) !== null;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (parseIpv4(host) !== null && host.startsWith('127.'));
}
