import { hash } from 'node:crypto';

const BLOCK_OCTETS = 64;
const DIGEST_OCTETS = 32;
/** The longest address: 320 characters of up to three octets each. A longer text gets its own buffer. */
const TEXT_OCTETS = 960;

/**
 * HMAC-SHA-256 (RFC 2104) under one key, as 64 lowercase hex characters. Uses two one-shot hashes: for a text as short
 * as an address, `createHmac` takes twice as long, most of it to create its object.
 * @param key any length
 */
export function hmacSha256(key: Buffer): (text: string) => string {
  const block = Buffer.alloc(BLOCK_OCTETS);
  (key.length > BLOCK_OCTETS ? hash('sha256', key, 'buffer') : key).copy(block);
  const inner = Buffer.alloc(BLOCK_OCTETS + TEXT_OCTETS);
  const outer = Buffer.alloc(BLOCK_OCTETS + DIGEST_OCTETS);
  block.forEach((octet, i) => {
    inner[i] = octet ^ 0x36;
    outer[i] = octet ^ 0x5c;
  });
  const innerHash = (text: string): string => {
    if (text.length * 3 > TEXT_OCTETS) {
      return hash('sha256', Buffer.concat([inner.subarray(0, BLOCK_OCTETS), Buffer.from(text)]), 'hex');
    }
    const octets = inner.write(text, BLOCK_OCTETS, 'utf8');
    return hash('sha256', inner.subarray(0, BLOCK_OCTETS + octets), 'hex');
  };
  return (text) => {
    outer.write(innerHash(text), BLOCK_OCTETS, 'hex');
    return hash('sha256', outer, 'hex');
  };
}
