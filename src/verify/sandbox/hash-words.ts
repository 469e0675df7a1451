import { createHash } from 'node:crypto';

const WORDS = 8;

/**
 * What is derived from a text for good: the SHA-256 of its UTF-8 octets, read as eight unsigned 32-bit numbers, big-endian.
 * Anyone can compute it, on any machine and in any release: `printf %s jane | sha256sum`.
 */
export function hashWords(text: string): readonly number[] {
  const digest = createHash('sha256').update(text, 'utf8').digest();
  return Array.from({ length: WORDS }, (_, i) => digest.readUInt32BE(4 * i));
}
