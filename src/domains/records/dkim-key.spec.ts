import { generateKeyPairSync } from 'node:crypto';
import { GENERAL_SELECTORS, SENDER_SELECTORS } from './data/dkim-selectors.js';
import { dkimFact } from './dkim-finding.js';
import { readDkimKey } from './dkim-key.js';
import { orderSelectors, selectorName } from './dkim-selectors.js';

function rsa(bits: number, type: 'spki' | 'pkcs1' = 'spki'): string {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return publicKey.export({ format: 'der', type }).toString('base64');
}
const RSA = rsa(1_024);
const RSA_PSS = generateKeyPairSync('rsa-pss', { modulusLength: 1_024 })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64');
const ED25519 = Buffer.alloc(32, 7).toString('base64');
const KEY = `v=DKIM1; k=rsa; p=${RSA}`;

describe('readDkimKey', () => {
  it.each([
    KEY,
    `p=${RSA}`,
    `k=rsa; t=s:y; n=rotated; p=${RSA};`,
    `v=DKIM1; h=sha1:sha256; s=email; p=${RSA}`,
    `v=DKIM1; s=tlsrpt:*; p=${RSA.slice(0, 40)} ${RSA.slice(40)}`,
    `v=DKIM1; k=ed25519; p=${ED25519}`,
    `v=DKIM1; h=sha1 : sha256; s=tlsrpt : email; p=${RSA}`,
    `v=DKIM1; k=rsa; p=${rsa(1_024, 'pkcs1')}`,
  ])('takes %.30s for a key', (text) => {
    expect(readDkimKey(text)).toBe('valid');
  });

  it('distinguishes a revoked key from no key', () => {
    expect(readDkimKey('v=DKIM1; p=')).toBe('revoked');
    expect(readDkimKey('v=DKIM1; k=rsa')).toBe('none');
    expect(readDkimKey('v=spf1 -all')).toBe('none');
    expect(readDkimKey('')).toBe('none');
  });

  it.each([
    ['another version', `v=DKIM2; p=${RSA}`],
    ['a version that does not come first', `k=rsa; v=DKIM1; p=${RSA}`],
    ['a tag twice', `v=DKIM1; p=${RSA}; p=${RSA}`],
    ['a piece that is no tag', `v=DKIM1; ${RSA}; p=${RSA}`],
  ])('takes %s for no key record', (_, text) => {
    expect(readDkimKey(text)).toBe('none');
  });

  it.each([
    ['an unknown kind of key', `v=DKIM1; k=dsa; p=${RSA}`],
    ['a key of another length', `v=DKIM1; k=ed25519; p=${RSA}`],
    ['a key that breaks off', `v=DKIM1; p=${RSA.slice(0, 100)}`],
    ['what is not base64', 'v=DKIM1; p=your-key-here'],
    ['a key with what is not base64 before it', `v=DKIM1; p=!${RSA}`],
    ['a key with what is not base64 inside', `v=DKIM1; p=${RSA.slice(0, 40)}?${RSA.slice(40)}`],
    ['SHA-1 alone', `v=DKIM1; h=sha1; p=${RSA}`],
    ['a key for something else than mail', `v=DKIM1; s=tlsrpt; p=${RSA}`],
    ['a key that is too short', `v=DKIM1; p=${rsa(1_023)}`],
    ['a short RSAPublicKey', `v=DKIM1; p=${rsa(1_023, 'pkcs1')}`],
    ['a key of another algorithm', `v=DKIM1; k=rsa; p=${RSA_PSS}`],
  ])('takes %s for unusable', (_, text) => {
    expect(readDkimKey(text)).toBe('unusable');
  });
});

describe('dkimFact', () => {
  it('is true for a valid key at one selector, even if others failed', () => {
    expect(dkimFact({ wildcard: [], selectors: [[], null, [KEY]] })).toBe(true);
  });

  it('is false when no selector has a key, and when no query was needed', () => {
    expect(dkimFact({ wildcard: [], selectors: [[], ['v=DKIM1; p=']] })).toBe(false);
    expect(dkimFact({ wildcard: [], selectors: [] })).toBe(false);
  });

  it('is null when the look-up of a selector failed', () => {
    expect(dkimFact({ wildcard: [], selectors: [[], null] })).toBeNull();
  });

  it('ignores answers from a wildcard, and every answer until the wildcard is known', () => {
    expect(dkimFact({ wildcard: [KEY], selectors: [[KEY], [KEY]] })).toBe(false);
    expect(dkimFact({ wildcard: ['v=spf1 -all'], selectors: [['v=spf1 -all'], [KEY]] })).toBe(true);
    expect(dkimFact({ wildcard: null, selectors: [[KEY]] })).toBeNull();
  });
});

describe('orderSelectors', () => {
  it('starts with the selectors of the mail hosts’ providers, each once', () => {
    const selectors = orderSelectors(['google', 'proofpoint', 'no-such-provider']);
    expect(selectors.slice(0, 3)).toEqual(['google', '20230601', 'pp1']);
    expect(new Set(selectors).size).toBe(selectors.length);
    expect(selectors).toEqual(expect.arrayContaining([...GENERAL_SELECTORS, ...SENDER_SELECTORS]));
    expect(orderSelectors([])).toHaveLength(selectors.length);
  });

  it('contains only valid labels', () => {
    for (const selector of orderSelectors([]))
      expect(selectorName(selector, 'example.com')).toMatch(/^[a-z0-9-]{1,63}\._domainkey\.example\.com$/);
  });
});
