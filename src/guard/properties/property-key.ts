import { randomBytes } from 'node:crypto';
import { randomBase62 } from '../../auth/base62.js';

/** 142 bits: a key is public, but cannot be guessed. */
const RANDOM_LENGTH = 24;

/** A new public site key. */
export function newPropertyKey(): string {
  return `site_${randomBase62(RANDOM_LENGTH, randomBytes)}`;
}
