import { createHash, randomBytes } from 'node:crypto';

const TOKEN_OCTETS = 32;
const TOKEN = /^[\w-]{43}$/;

/** A new token of a session or a link: 256 bits that nobody can guess. */
export function newToken(): string {
  return randomBytes(TOKEN_OCTETS).toString('base64url');
}

/** All that is stored of a token, in hex; null for text that is none. */
export function hashToken(token: string): string | null {
  return TOKEN.test(token) ? createHash('sha256').update(token).digest('hex') : null;
}
