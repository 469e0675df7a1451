import { createPublicKey } from 'node:crypto';
import { parseTagList } from './tag-list.js';

/**
 * Kind of a TXT record under `_domainkey` (RFC 6376 3.6.1). `revoked`: a key record with an empty `p`; `unusable`: a
 * key record that no verifier can use; `none`: no key record.
 */
export type DkimKeyReading = 'valid' | 'revoked' | 'unusable' | 'none';

/** Shorter RSA keys are invalid (RFC 8301 3.2). */
const MIN_RSA_BITS = 1_024;
const ED25519_OCTETS = 32;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Parses one TXT record as a DKIM key. Decodes the key itself, which takes some ten microseconds. */
export function readDkimKey(text: string): DkimKeyReading {
  const list = parseTagList(text);
  const key = list?.tags.get('p');
  if (list === null || key === undefined || list.malformed.length > 0) return 'none';
  const { tags } = list;
  const version = tags.get('v');
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) return 'none';
  if (key === '') return 'revoked';
  const serves = includes(tags.get('s') ?? '*', ['*', 'email']) && includes(tags.get('h') ?? 'sha256', ['sha256']);
  return serves && isPublicKey(tags.get('k') ?? 'rsa', key.replaceAll(/\s/g, '')) ? 'valid' : 'unusable';
}

function includes(list: string, wanted: readonly string[]): boolean {
  return list.split(':').some((item) => wanted.includes(item.trim()));
}

function isPublicKey(type: string, base64: string): boolean {
  if (!BASE64.test(base64)) return false;
  const octets = Buffer.from(base64, 'base64');
  // RFC 8463 3: only the key's octets, without ASN.1.
  if (type === 'ed25519') return octets.length === ED25519_OCTETS;
  return type === 'rsa' && rsaBits(octets) >= MIN_RSA_BITS;
}

/**
 * 0 if it is no RSA key. Nearly all are published as a SubjectPublicKeyInfo, as in the examples of RFC 6376, but its text
 * (3.6.1) says RSAPublicKey: verifiers take both.
 */
function rsaBits(der: Buffer): number {
  for (const type of ['spki', 'pkcs1'] as const) {
    try {
      const { asymmetricKeyDetails, asymmetricKeyType } = createPublicKey({ key: der, format: 'der', type });
      return asymmetricKeyType === 'rsa' ? (asymmetricKeyDetails?.modulusLength ?? 0) : 0;
    } catch {
      // Not of this type.
    }
  }
  return 0;
}
