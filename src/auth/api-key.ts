import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { encodeBase62, randomBase62 } from './base62.js';

export const KEY_MODES = ['live', 'test'] as const;
/** `test` is a sandbox key: fixtures, no credits. */
export type KeyMode = (typeof KEY_MODES)[number];

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const LETTERS = /^[0-9A-Za-z]+$/;

/** Generates a key: `mv_live_` + 32 random characters + checksum (decisions 2.1), 190 bits. */
export function generateApiKey(
  prefix: string,
  mode: KeyMode,
  random: (size: number) => Uint8Array = randomBytes,
): string {
  const body = keyStart(prefix, mode) + randomBase62(RANDOM_LENGTH, random);
  return body + checksum(body);
}

/**
 * Returns the mode of a well-formed key, else null. A mistyped or invented key then costs no look-up; only the
 * database knows whether a key exists.
 */
export function parseApiKey(text: string, prefix: string): { readonly mode: KeyMode } | null {
  const mode = KEY_MODES.find((candidate) => text.startsWith(keyStart(prefix, candidate)));
  if (mode === undefined) return null;
  const start = keyStart(prefix, mode).length;
  if (text.length !== start + RANDOM_LENGTH + CHECKSUM_LENGTH || !LETTERS.test(text.slice(start))) return null;
  const body = text.slice(0, -CHECKSUM_LENGTH);
  return text.slice(-CHECKSUM_LENGTH) === checksum(body) ? { mode } : null;
}

/** SHA-256 of the whole key, in hex. With the last four characters, it is all that is stored. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** The last characters, by which people recognise a key. */
export function lastFourOf(key: string): string {
  return key.slice(-4);
}

function keyStart(prefix: string, mode: KeyMode): string {
  return `${prefix}_${mode}_`;
}

/** CRC-32 (ISO 3309) of the UTF-8 text, in base62. It detects typing errors and is no secret. */
function checksum(body: string): string {
  return encodeBase62(crc32(body), CHECKSUM_LENGTH);
}
