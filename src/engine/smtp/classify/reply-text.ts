import type { Reply } from '../reply.js';
import { boundedText } from './bounded-text.js';
import { foldedCharacter, isMark, isSign } from './letters.js';

/** Replaces an IP address: a reply that names one is about the client. */
export const IP_WORD = '#ip';
/** Replaces a host or domain name. */
const HOST_WORD = '#host';
/** Replaces our own names, so that only the fact that we were named counts. */
const OWN_WORD = '#us';
/** Replaces a link. */
const URL_WORD = '#url';
/** Replaces the name of a DNS blocklist or reputation service, also inside a URL. */
const BLOCKLIST_WORD = '#dnsbl';

/** Replaces Exchange's name of a recipient restriction, such as `RESOLVER.RST.NotAuthorized`. */
const RESTRICTION_WORD = '#restriction';
const RESTRICTION = /^resolver\.rst\.(?!recipsizelimit|sendersizelimit)/;

/** The parts of a reply that patterns use. */
export interface ReplyText {
  /** Lower-case words without accents; no addresses, URLs, numbers or names of our own. */
  readonly words: readonly string[];
  /** RFC 3463 code inside the text, such as `(#5.1.1)`, or null. */
  readonly enhanced: string | null;
  /** True if it quotes an address at our sender's domain, and not the recipient. */
  readonly aboutSender: boolean;
}

/** Names removed from the text before it is read. */
interface StrippedNames {
  readonly recipient: string | null;
  readonly ownNames: readonly string[];
}

const URL = /(?:https?:\/\/|www\.)[^\s<>"]*/gi;
const IPV4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:[:/]\d{1,5})?$/;
/** Also as an address literal of SMTP (`[IPv6:2001:db8::1]`), or a network. */
const IPV6 = /^(?:ipv6:)?(?=[^:]*:[^:]*:)[0-9a-f:]+(?:\/\d{1,3})?$/;
const HOST = /^[a-z0-9_*-]+(?:\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*[a-z](?:\/.*)?$/;
/** `denied.For` is two sentences without a space, not a host name. */
const SENTENCE_BREAK = /[a-z]\.[A-Z]/;
const ENHANCED = /^#?(?:\d{3}-)?([245]\.\d{1,3}\.\d{1,3})[:.]?$/;
const BLOCKLIST =
  /(?:^|[./-])(?:[a-z0-9]*(?:spamhaus|spamcop|dnsbl|rbl|blacklist|blocklist|abusix|cloudmark|senderbase|uceprotect|surbl|uribl|barracudacentral|spamrats|njabl|junkemailfilter|senderscore|mailspike)|sorbs|invaluement|psbl|cbl|sbl|xbl|pbl|dbl)(?=$|[./-])/;
/** Punctuation at the ends of a chunk. */
const EDGES = "'`*#:.!?_-";
/** Longest ending that English contracts with an apostrophe. */
const CONTRACTION = 2;

const LETTER = 1;
const OTHER = 2;
/** Kind of each ASCII character; 0 separates chunks. */
const KIND = new Uint8Array(128).fill(OTHER, 33, 127);
for (const boundary of '<>()[]{}",;=|') KIND[boundary.charCodeAt(0)] = 0;
for (let code = 97; code <= 122; code += 1) KIND[code] = KIND[code - 32] = LETTER;

/**
 * Splits a reply into words. Echoed addresses, URLs, host names and our own names are not the server's words: the
 * mailbox `spam@blocked.example` must not turn its refusal into one of us (decisions 6.4). Linear in at most `MAX_TEXT`
 * characters.
 */
export function readReplyText(reply: Reply, names: StrippedNames): ReplyText {
  const text = withoutUrls(withoutOddRecipient(boundedText(reply.lines), names.recipient));
  const replyClass = String(reply.code).charAt(0);
  const echo = echoOf(names);
  const words: string[] = [];
  let enhanced: string | null = null;
  let start = -1;
  let lettersOnly = true;
  for (let index = 0; index <= text.length; index += 1) {
    const kind = index < text.length ? kindOf(text.charCodeAt(index)) : 0;
    if (kind !== 0) {
      if (start === -1) start = index;
      if (kind !== LETTER) lettersOnly = false;
      continue;
    }
    if (start === -1) continue;
    const chunk = text.slice(start, index);
    const setApart = echo.local !== null && isSetApart(text, start, index);
    if (lettersOnly) readWord(chunk.toLowerCase(), setApart, echo, words);
    else if (ENHANCED.test(chunk)) enhanced ??= enhancedOfClass(chunk, replyClass);
    else readChunk(chunk, setApart, echo, words);
    start = -1;
    lettersOnly = true;
  }
  return { words, enhanced, aboutSender: quotesSenderAlone(reply.lines, names) };
}

function quotesSenderAlone(lines: readonly string[], { recipient, ownNames }: StrippedNames): boolean {
  const sender = ownNames.find((name) => name.includes('@'));
  if (sender === undefined) return false;
  const text = boundedText(lines).toLowerCase();
  return (
    text.includes(sender.slice(sender.indexOf('@')).toLowerCase()) &&
    (recipient === null || !text.includes(recipient.toLowerCase()))
  );
}

function withoutUrls(text: string): string {
  if (!text.includes('://') && !text.includes('www.')) return text;
  return text.replace(URL, (url) => ` ${BLOCKLIST.test(url.toLowerCase()) ? BLOCKLIST_WORD : URL_WORD} `);
}

/** Removes a quoted local part as a whole and first, because it may hold separators. */
function withoutOddRecipient(text: string, recipient: string | null): string {
  if (recipient === null || !/[\s"(),:;<>[\]=|{}]/.test(recipient)) return text;
  const echo = recipient.toLowerCase();
  const lower = text.toLowerCase();
  // A few letters are longer in lower case: there the positions would not match.
  const source = lower.length === text.length ? text : lower;
  let rest = '';
  let from = 0;
  for (let at = lower.indexOf(echo); at !== -1; at = lower.indexOf(echo, from)) {
    rest += `${source.slice(from, at)} `;
    from = at + echo.length;
  }
  return rest + source.slice(from);
}

function kindOf(code: number): number {
  return code < 128 ? KIND[code]! : OTHER;
}

/** Counts an enhanced code only in a reply of its own class: elsewhere it is a version number or belongs to another reply. */
function enhancedOfClass(chunk: string, replyClass: string): string | null {
  const code = ENHANCED.exec(chunk)?.[1] ?? '';
  return code.startsWith(replyClass) ? code : null;
}

/** The parts of the names that can stand in a text without an `@`. */
interface Echo {
  readonly local: string | null;
  readonly domain: string | null;
  readonly own: readonly string[];
}

function echoOf({ recipient, ownNames }: StrippedNames): Echo {
  const at = recipient === null ? -1 : recipient.lastIndexOf('@');
  return {
    local: recipient === null || at === -1 ? null : recipient.slice(0, at).toLowerCase(),
    domain: recipient === null || at === -1 ? null : recipient.slice(at + 1).toLowerCase(),
    // Our IP address stays, like any other: it holds no words, and a reply that names it is about the client.
    own: ownNames.map((name) => name.toLowerCase()).filter((name) => !IPV4.test(name) && !IPV6.test(name)),
  };
}

/** True between quotes or brackets, where a bare local part is an echo, not a word. */
function isSetApart(text: string, start: number, end: number): boolean {
  const opening = '"<([{'.indexOf(text.charAt(start - 1));
  return start > 0 && opening !== -1 && text.charAt(end) === '">)]}'.charAt(opening);
}

function readWord(word: string, setApart: boolean, echo: Echo, words: string[]): void {
  if (!(setApart && word === echo.local)) pushWord(word, words);
}

/** Reads a chunk that is more than plain letters: an address, a host, a number, or several words. */
function readChunk(chunk: string, setApart: boolean, echo: Echo, words: string[]): void {
  if (chunk.includes('@')) {
    // `refused:x@example.com`, `x@example.com:blocked`: the part beyond the colon counts.
    for (const part of chunk.split(':')) {
      if (!part.includes('@')) splitWords(part.toLowerCase(), words);
    }
    return;
  }
  if (chunk === BLOCKLIST_WORD || chunk === URL_WORD) {
    words.push(chunk);
    return;
  }
  const bare = withoutEdges(chunk.toLowerCase());
  if (bare === '' || isEcho(bare, setApart || chunk.startsWith("'"), echo)) return;
  if (echo.own.includes(bare)) {
    words.push(OWN_WORD);
    return;
  }
  if (IPV4.test(bare) || IPV6.test(bare)) words.push(IP_WORD);
  else if (RESTRICTION.test(bare)) words.push(RESTRICTION_WORD);
  else if (HOST.test(bare) && !SENTENCE_BREAK.test(chunk))
    words.push(BLOCKLIST.test(bare) ? BLOCKLIST_WORD : HOST_WORD);
  else splitWords(bare, words);
}

function withoutEdges(chunk: string): string {
  let start = 0;
  let end = chunk.length;
  while (start < end && EDGES.includes(chunk.charAt(start))) start += 1;
  while (end > start && EDGES.includes(chunk.charAt(end - 1))) end -= 1;
  return chunk.slice(start, end);
}

function isEcho(bare: string, setApart: boolean, { local, domain }: Echo): boolean {
  if (bare === domain) return true;
  return bare === local && (setApart || /[^a-z]/.test(bare));
}

/** Splits at every non-letter; drops words of digits alone. */
function splitWords(chunk: string, words: string[]): void {
  let word = '';
  for (let index = 0; index <= chunk.length; index += 1) {
    const letters = index < chunk.length ? foldedCharacter(chunk, index) : '';
    const sign = letters !== '' && isSign(chunk.charCodeAt(index));
    if (letters !== '' && !sign) {
      word += letters;
      continue;
    }
    if (isMark(chunk.charCodeAt(index)) || isContraction(chunk, index)) continue;
    if (word !== '' && /[^\d]/.test(word)) pushWord(word, words);
    word = '';
    if (sign) words.push(letters);
  }
}

/** Makes one word each of `e-mail` and `mail box`. */
function pushWord(word: string, words: string[]): void {
  const last = words.length - 1;
  if (words[last] === 'e' && (word === 'mail' || word.startsWith('mailadr'))) words[last] = `e${word}`;
  else if (word === 'box' && words[last] === 'mail') words[last] = 'mailbox';
  else words.push(word);
}

/** English contracts words (`doesn't`, `we're`); elsewhere an apostrophe begins a new word (`l'adresse`). */
function isContraction(chunk: string, index: number): boolean {
  const mark = chunk.charAt(index);
  if (mark !== "'" && mark !== '\u2019') return false;
  const rest = /^[a-z]+/.exec(chunk.slice(index + 1, index + 2 + CONTRACTION));
  return rest !== null && rest[0].length <= CONTRACTION;
}
