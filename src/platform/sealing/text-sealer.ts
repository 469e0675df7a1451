import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import type { AddressKey } from '../config/address-keys.js';

/** Key id, nonce (NIST SP 800-38D 8.2.2), tag, then the text. */
const NONCE_AT = 1;
const TAG_AT = 13;
const TEXT_AT = 29;
const CIPHER = 'aes-256-gcm';

interface SealingKey {
  readonly id: number;
  readonly key: KeyObject;
}

/** Encrypts texts that must be read again later, such as addresses that wait for a probe. */
export class TextSealer {
  private readonly keys: readonly [SealingKey, ...SealingKey[]];

  /**
   * @param keys the first one writes, all of them read; each id once
   * @param what is sealed, for errors
   */
  constructor(
    keys: readonly AddressKey[],
    private readonly what = 'text',
  ) {
    const [current, ...older] = keys.map(derive);
    if (current === undefined) throw new Error('sealing needs a key');
    this.keys = [current, ...older];
  }

  /** @param context binds the ciphertext: it opens under no other context */
  seal(text: string, context: Buffer): Buffer {
    const [{ id, key }] = this.keys;
    const nonce = randomBytes(TAG_AT - NONCE_AT);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(context);
    const sealed = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([Buffer.of(id), nonce, cipher.getAuthTag(), ...sealed]);
  }

  /** @throws Error without the text in it, if the key is gone or the text was not sealed in this context */
  open(sealed: Buffer, context: Buffer): string {
    const key = this.keys.find(({ id }) => id === sealed[0]);
    if (key === undefined) throw new Error(`a sealed ${this.what} cannot be opened: its key is missing`);
    try {
      const nonce = sealed.subarray(NONCE_AT, TAG_AT);
      const decipher = createDecipheriv(CIPHER, key.key, nonce, { authTagLength: TEXT_AT - TAG_AT });
      decipher.setAAD(context).setAuthTag(sealed.subarray(TAG_AT, TEXT_AT));
      return decipher.update(sealed.subarray(TEXT_AT), undefined, 'utf8') + decipher.final('utf8');
    } catch (cause) {
      const why = `it was changed, or sealed for another ${this.what}`;
      throw new Error(`a sealed ${this.what} cannot be opened: ${why}`, { cause });
    }
  }

  /** Whether the key that seals now has sealed it. */
  isCurrent(sealed: Buffer): boolean {
    return sealed[0] === this.keys[0].id;
  }
}

/** The key that encrypts shares no bytes with the one that hashes. */
function derive({ id, key }: AddressKey): SealingKey {
  return { id, key: createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'mailvet sealed address', 32))) };
}
