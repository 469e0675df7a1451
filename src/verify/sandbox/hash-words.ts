import { hash } from 'node:crypto';

const OCTETS_PER_WORD = 4;

/**
 * Stable numbers derived from a text: the SHA-256 of its UTF-8 octets as eight unsigned 32-bit numbers, big-endian.
 * Reproducible on any machine and in any release: `printf %s jane
 * sha256sum`.
 */
export function hashWords(text: string): readonly number[] {
  const digest = hash('sha256', text, 'buffer');
  const words: number[] = [];
  for (let at = 0; at < digest.length; at += OCTETS_PER_WORD) words.push(digest.readUInt32BE(at));
  return words;
}
