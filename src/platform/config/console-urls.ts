const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);
const MAX_LENGTH = 1000;

/** True for the names of this machine by which a browser reaches it without TLS, as a URL writes them. */
export function isLoopbackName(hostname: string): boolean {
  return LOOPBACK_NAMES.has(hostname);
}

export const CONSOLE_ORIGIN_RULE =
  'must be https://<host>[:<port>] without a path; http:// only with localhost, 127.0.0.1 or [::1]';

/** The origin as a browser writes it in `Origin`; null for invalid text. */
export function parseConsoleOrigin(text: string): string | null {
  const url = parseWebUrl(text);
  return url !== null && isSecure(url) && url.pathname === '/' && url.search === '' ? url.origin : null;
}

export const PUBLIC_URL_RULE = 'must be an http:// or https:// URL without a query';

/** The URL without a final slash; null for invalid text. */
export function parsePublicUrl(text: string): string | null {
  const url = parseWebUrl(text);
  return url !== null && url.search === '' ? url.href.replace(/\/$/, '') : null;
}

export const LINK_RULE = 'must be an http://, https:// or mailto: URL';

export function parseLink(text: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const url = new URL(text);
  return /^(https?|mailto):$/.test(url.protocol) ? url.href : null;
}

export const ISSUER_RULE = 'must be an https:// URL without a query; http:// only with localhost, 127.0.0.1 or [::1]';

/** Kept as it was written: a provider's own name for itself must equal it. */
export function parseIssuer(text: string): string | null {
  const url = parseWebUrl(text);
  return url !== null && isSecure(url) && url.search === '' ? text : null;
}

function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isLoopbackName(hostname);
}

function parseWebUrl(text: string): URL | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null;
  const url = new URL(text);
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return /^https?:$/.test(url.protocol) && isPlain ? url : null;
}
