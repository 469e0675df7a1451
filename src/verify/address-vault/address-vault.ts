import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Address } from '../../engine/address/address.js';
import { canonicalAddress } from '../../engine/address/canonical-address.js';
import type { AddressKey } from '../../platform/config/address-keys.js';
import { hmacSha256 } from './hmac-sha256.js';

/** Key id, nonce (NIST SP 800-38D 8.2.2), tag, then the text. */
const NONCE_AT = 1;
const TAG_AT = 13;
const TEXT_AT = 29;
const CIPHER = 'aes-256-gcm';

interface Keys {
  readonly id: number;
  readonly hmac: (text: string) => string;
  readonly sealing: KeyObject;
}

type Mailbox = Pick<Address, 'localPart' | 'domain'>;

/**
 * Stores addresses as an HMAC-SHA-256 of the canonical form, 64 lowercase hex characters, for look-ups (decisions 6.7);
 * and encrypted under that hash, as long as a probe needs the address (6.8).
 */
export class AddressVault {
  private readonly keys: readonly [Keys, ...Keys[]];

  /** @param keys the first one writes, all of them read; each id once */
  constructor(keys: readonly AddressKey[]) {
    const [current, ...older] = keys.map(derive);
    if (current === undefined) throw new Error('the address vault needs a key');
    this.keys = [current, ...older];
  }

  /** Id of the key that hashes and seals. */
  get keyId(): number {
    return this.keys[0].id;
  }

  /** About a microsecond. */
  hash(address: Mailbox): string {
    return this.keys[0].hmac(canonicalAddress(address));
  }

  /** The hash under each key, the current one first: rows stored before a key change are under an older one. */
  hashes(address: Mailbox): readonly string[] {
    const text = canonicalAddress(address);
    return this.keys.map(({ hmac }) => hmac(text));
  }

  /** @param hash binds the ciphertext to the address: it opens under no other hash */
  seal(text: string, hash: string): Buffer {
    const [{ id, sealing }] = this.keys;
    const nonce = randomBytes(TAG_AT - NONCE_AT);
    const cipher = createCipheriv(CIPHER, sealing, nonce).setAAD(Buffer.from(hash, 'hex'));
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(id), nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @throws Error without the text in it, if the key is gone or the text was not sealed under this hash */
  open(sealed: Buffer, hash: string): string {
    const key = this.keys.find(({ id }) => id === sealed[0]);
    if (key === undefined) throw new Error('a sealed address cannot be opened: its key is missing');
    try {
      const nonce = sealed.subarray(NONCE_AT, TAG_AT);
      const decipher = createDecipheriv(CIPHER, key.sealing, nonce, { authTagLength: TEXT_AT - TAG_AT });
      decipher.setAAD(Buffer.from(hash, 'hex')).setAuthTag(sealed.subarray(TAG_AT, TEXT_AT));
      return decipher.update(sealed.subarray(TEXT_AT), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      throw new Error('a sealed address cannot be opened: it was changed, or sealed for another address', { cause });
    }
  }
}

/** Derives two subkeys from one key, so that hashing and encryption share no bytes. */
function derive({ id, key }: AddressKey): Keys {
  const sealing = hkdfSync('sha256', key, '', 'mailvet sealed address', 32);
  return { id, hmac: hmacSha256(Buffer.from(key)), sealing: createSecretKey(Buffer.from(sealing)) };
}
