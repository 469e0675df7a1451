import { randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const OCTETS = 32;

/** A secret as Standard Webhooks writes it: `whsec_` and the base64 of 32 random octets. */
export function newSigningSecret(): string {
  return `${PREFIX}${randomBytes(OCTETS).toString('base64')}`;
}

/** The octets that sign. */
export function signingKey(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
