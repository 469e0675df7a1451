import { boundedText } from './bounded-text.js';

const QUOTED_LOCAL_PART = /"[^"]{0,64}"(?=@)/g;
const CHUNK = /[^\s<>()[\]{}"',;:=|]+/g;
const HOST = /^\/{0,2}[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}[\p{L}\p{N}-]+(?:\/.*)?$/u;
/** `minutes.Please` is two sentences without a space, not a host name. */
const SENTENCE_BREAK = /\p{Ll}\.\p{Lu}/u;

/**
 * Joins the lines of a reply into one bounded text without addresses, hosts and links: a host that repeats
 * `ann@try-again-in-5-minutes.example.com` has not asked for a delay.
 */
export function withoutNames(lines: readonly string[]): string {
  return boundedText(lines)
    .replace(QUOTED_LOCAL_PART, ' ')
    .replace(CHUNK, (chunk) => (isName(chunk) ? ' ' : chunk));
}

/** The same if a line has the word; else null. Every refusal is read for rare words, and only theirs is read closely. */
export function withoutNamesIf(word: RegExp, lines: readonly string[]): string | null {
  return lines.some((line) => word.test(line)) ? withoutNames(lines) : null;
}

function isName(chunk: string): boolean {
  if (chunk.includes('@')) return true;
  const bare = chunk.replace(/[.!?]{1,3}$/, '');
  return bare.includes('.') && HOST.test(bare) && !SENTENCE_BREAK.test(bare);
}
