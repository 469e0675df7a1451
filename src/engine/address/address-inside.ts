import { parse as parseHost } from 'tldts';
import { parseAddress } from './parse-address.js';

/** Longest text searched, in UTF-16 units. */
const MAX_LENGTH = 1024;

/** Format characters, spaces other than U+0020, and marks that fonts do not draw. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164]/gu;
/** `@` as East Asian keyboards write it, and `(at)`, `[at]`, `{@}` as people hide it from harvesters. */
const AT_SIGNS = /[＠﹫]|[([{] ?(?:at|@) ?[)\]}]/gi;
const DOTS = /[．。｡]|[([{] ?dot ?[)\]}]/gi;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007e]+$/;
const BEFORE = /[ <\p{Ps}\p{Pi}\p{Pf}'"`*＂＇]/u;
const AFTER = /[ >\p{Pe}\p{Pi}\p{Pf}„‚'"`.,;:!?/*＂＇、。！？…]/u;
/**
 * An opening quotation mark or bracket, or punctuation at the end. UTS 46 allows both in an address, IDNA 2008 does
 * not. `{` is `atext`, and some names begin with an apostrophe.
 */
const MARKED = /^(?![{’])[\p{Ps}\p{Pi}\p{Pf}]|\p{P}$/u;

/**
 * Finds the address in a decorated text such as `Ann <ann@example.com>`, `mailto:ann@example.com` or one with invisible
 * characters. Null if the text holds none or several, or if the top-level domain does not exist. Linear in the length.
 */
export function addressInside(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const visible = text.replaceAll(INVISIBLE, '').trim();
  if (parseAddress(text).ok) {
    // A valid address, unless it hides characters. Persian and Indic words need joiners; among ASCII letters they only
    // hide.
    if (!MARKED.test(visible)) return visible !== text.trim() && ASCII.test(visible) ? accepted(visible) : null;
  }
  const plain = withoutScheme(unwrapped(withSigns(visible)));
  const at = plain.lastIndexOf('@');
  let end = Math.max(0, at);
  while (end > 0 && ' @'.includes(plain[end - 1]!)) end--;
  const local = plain.slice(0, end);
  return local.includes('@') ? null : accepted(`${local}@${hostOf(plain.slice(at + 1).trimStart())}`);
}

function accepted(text: string): string | null {
  const parsed = parseAddress(text);
  if (!parsed.ok) return null;
  return parseHost(parsed.address.domain, { validateHostname: false }).isIcann === true ? parsed.address.text : null;
}

/** Replaces `ann at gmail dot com` and the like by plain signs. */
function withSigns(text: string): string {
  const signs = text.replaceAll(AT_SIGNS, '@').replaceAll(DOTS, '.');
  if (signs.includes('@')) return signs;
  const words = signs.split(' ').filter((word) => word !== '');
  if (words.filter((word) => word.toLowerCase() === 'at').length !== 1) return signs;
  return words.map((word) => ({ at: '@', dot: '.' })[word.toLowerCase()] ?? word).join('');
}

/** Strips the display name or comment, and the quotes, brackets and punctuation around the address. */
function unwrapped(text: string): string {
  const open = text.indexOf('<');
  const close = text.indexOf('>', open);
  if (close >= 0 && text.includes('@', close)) return text;
  let inner = open >= 0 && text.includes('@', open) ? text.slice(open + 1, close < 0 ? undefined : close) : text;
  const comment = inner.endsWith(')') ? inner.lastIndexOf('(') : -1;
  if (comment > inner.indexOf('@') && inner.includes('@')) inner = inner.slice(0, comment);
  let from = 0;
  let to = inner.length;
  while (from < to && BEFORE.test(inner[from]!)) from++;
  while (to > from && AFTER.test(inner[to - 1]!)) to--;
  return inner.slice(from, to);
}

function withoutScheme(text: string): string {
  return text.replace(/^(?:mailto:|https?:\/\/|e-?mail:)/i, '').trimStart();
}

/** The host after the `@`, which people may write as a web address. */
function hostOf(text: string): string {
  const [host = ''] = text.replace(/^https?:\/{0,2}/i, '').split(/[/?#]/, 1);
  const name = host.replaceAll(',', '.');
  return host.length < text.length ? name.replace(/^www\./i, '') : name;
}
