import type { Address } from '../../engine/address/address.js';
import { canonicalAddress } from '../../engine/address/canonical-address.js';
import type { AddressKey } from '../../platform/config/address-keys.js';
import { TextSealer } from '../../platform/sealing/text-sealer.js';
import { hmacSha256 } from './hmac-sha256.js';

interface HashingKey {
  readonly id: number;
  readonly hmac: (text: string) => string;
}

type Mailbox = Pick<Address, 'localPart' | 'domain'>;

/**
 * Stores addresses as an HMAC-SHA-256 of the canonical form, 64 lowercase hex characters, for look-ups (decisions 6.7);
 * and encrypted under that hash, as long as a probe needs the address (6.8).
 */
export class AddressVault {
  private readonly keys: readonly [HashingKey, ...HashingKey[]];
  private readonly sealer: TextSealer;

  /** @param keys the first one writes, all of them read; each id once */
  constructor(keys: readonly AddressKey[]) {
    const [current, ...older] = keys.map(({ id, key }) => ({ id, hmac: hmacSha256(Buffer.from(key)) }));
    if (current === undefined) throw new Error('the address vault needs a key');
    this.keys = [current, ...older];
    this.sealer = new TextSealer(keys, 'address');
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
    return this.sealer.seal(text, Buffer.from(hash, 'hex'));
  }

  /** @throws Error without the text in it, if the key is gone or the text was not sealed under this hash */
  open(sealed: Buffer, hash: string): string {
    return this.sealer.open(sealed, Buffer.from(hash, 'hex'));
  }
}
