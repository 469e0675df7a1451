/** Longest text that is sent as an address; the API calls everything longer than 254 octets no address. */
const LONGEST_SENT = 320;
const MAX_ADDRESS_OCTETS = 254;
const MAX_LOCAL_PART_OCTETS = 64;
const MAX_DOMAIN_OCTETS = 253;

const ATEXT_DOTS =
  /^[a-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+(\.[a-z0-9!#$%&'*+\-/=?^_`{|}~\u0080-\u{10ffff}]+)*$/u;
/** What nearly every address is. One that is no longer than a local part may be breaks no limit of length. */
const PLAIN = /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9]+(?:-+[a-z0-9]+)*\.)+[a-z]{2,}$/;
/** Content of a quoted local part: printable ASCII or more, a quote or backslash only after a backslash. */
const QUOTED = /^"((?:[^"\\\u0000-\u001f\u007f]|\\[\u0020-\u007e])*)"$/u; // oxlint-disable-line no-control-regex
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/; // oxlint-disable-line no-control-regex
const NOT_ASCII = /[^\u0000-\u007f]/; // oxlint-disable-line no-control-regex
/** Invisible characters that no mailbox or host name contains; words of Persian and Indic languages need the joiners. */
const HIDDEN = /(?![ \u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{Noncharacter_Code_Point}]/u;

/** What UTS 46 drops from a name, beside what is hidden. */
const DROPPED = /[\p{Variation_Selector}\u034f]/gu;
const HYPHEN_AT_AN_END = /(?:^|[.\u3002])-|-(?:[.\u3002]|$)/;

/** A name before an address is no longer than this. */
const LONGEST_NAMED = 1000;
/** `Ann Lee <ann@example.com>`, as address books export it. */
const NAMED = /^[^<>]*<([^<>]*)>$/;
const SCHEME = /^mailto:\s*/i;

/** The address that a cell holds: the cell, trimmed, without a display name or `mailto:` around it. */
export function addressIn(cell: string): string {
  const text = cell.trim();
  if (text.length > LONGEST_NAMED) return text;
  const inside = text.endsWith('>') ? (NAMED.exec(text)?.[1]?.trim() ?? text) : text;
  const address = inside.replace(SCHEME, '');
  if (address === text) return text;
  return address.slice(1, -1).includes('@') && !/\s/.test(address) ? address : text;
}

/** True for what was meant to be an address, even if it is broken. A handle such as `@ann` and a URL were not. */
export function isMeantAsAddress(address: string): boolean {
  return address.indexOf('@') > 0 && !/\s|:\/\//.test(address);
}

/** True if the text is short enough to be sent. What is longer is no address, which the page says itself. */
export function isSendable(address: string): boolean {
  return address.length <= LONGEST_SENT;
}

/** The form in which two spellings of an address are the same entry of a list. */
export function entryKey(address: string): string {
  return address.toLowerCase();
}

/**
 * True if the API takes `text` for an address and bills it. The rule is `parseAddress` of the engine, which needs Node;
 * the spec compares the two.
 */
export function isAddress(text: string): boolean {
  const address = text.trim().toLowerCase();
  if (address.length <= MAX_LOCAL_PART_OCTETS && PLAIN.test(address)) return true;
  if (CONTROL.test(address)) return false;
  const at = address.startsWith('"') ? afterQuotes(address) : address.lastIndexOf('@');
  if (at < 1 || address[at] !== '@') return false;
  const localPart = address.slice(0, at).normalize('NFC');
  if (octets(localPart) > MAX_LOCAL_PART_OCTETS || !isLocalPart(localPart)) return false;
  const domain = asciiDomain(address.slice(at + 1));
  return domain !== null && isDomain(domain) && octets(localPart) + 1 + domain.length <= MAX_ADDRESS_OCTETS;
}

function afterQuotes(address: string): number {
  for (let at = 1; at < address.length; at++) {
    if (address[at] === '\\') at++;
    else if (address[at] === '"') return at + 1;
  }
  return -1;
}

function isLocalPart(text: string): boolean {
  if (NOT_ASCII.test(text) && HIDDEN.test(text)) return false;
  return text.startsWith('"') ? QUOTED.test(text) : ATEXT_DOTS.test(text);
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  return (
    domain.length <= MAX_DOMAIN_OCTETS &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  );
}

/** The domain in A-labels; null if it cannot be written so. The browser's URL parser follows UTS 46. */
function asciiDomain(domain: string): string | null {
  if (!NOT_ASCII.test(domain)) return domain;
  // What is special in a URL is no part of a name.
  if (HIDDEN.test(domain) || !/^[a-z0-9.\-\u0080-\u{10ffff}]+$/u.test(domain)) return null;
  // An A-label hides a hyphen at an end of its U-label.
  if (HYPHEN_AT_AN_END.test(domain.normalize('NFKC').replace(DROPPED, ''))) return null;
  try {
    return new URL(`http://${domain}/`).hostname;
  } catch {
    return null;
  }
}

function octets(text: string): number {
  return NOT_ASCII.test(text) ? new TextEncoder().encode(text).length : text.length;
}
