import { boundedText } from './bounded-text.js';

const QUOTED_LOCAL_PART = /"[^"]{0,64}"(?=@)/g;
const CHUNK = /[^\s<>()[\]{}"',;:=|]+/g;
const HOST = /^\/{0,2}[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*\.\p{L}[\p{L}\p{N}-]+(?:\/.*)?$/u;
/** `minutes.Please`: two sentences that miss a space, no host name. */
const SENTENCE_BREAK = /\p{Ll}\.\p{Lu}/u;

/**
 * The lines of a reply as one bounded text, less addresses, hosts and links: whoever is asked about `ann@try-again-in-5-minutes.example.com`
 * and repeats it has not asked for anything.
 */
export function withoutNames(lines: readonly string[]): string {
  return boundedText(lines)
    .replace(QUOTED_LOCAL_PART, ' ')
    .replace(CHUNK, (chunk) => (isName(chunk) ? ' ' : chunk));
}

function isName(chunk: string): boolean {
  if (chunk.includes('@')) return true;
  const bare = chunk.replace(/[.!?]{1,3}$/, '');
  return bare.includes('.') && HOST.test(bare) && !SENTENCE_BREAK.test(bare);
}
