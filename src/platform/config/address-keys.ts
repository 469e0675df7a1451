/** A secret to hash addresses with and, while they wait for a probe, to encrypt them (decisions 6.7, 6.8). */
export interface AddressKey {
  /** 1 to 255; stored with each hash and ciphertext. 0: the development key. */
  readonly id: number;
  readonly key: string;
}

export const ADDRESS_KEYS_RULE =
  'must be a comma list of <id from 1 to 255>:<key of 16 to 1024 printable characters>, each id once';

/** For development only: the key is public, so its hashes hide nothing. */
export const DEVELOPMENT_ADDRESS_KEY: AddressKey = { id: 0, key: 'mailvet-development-address-key' };

const PRINTABLE = /^[\x20-\x7e]{16,1024}$/;

/**
 * Reads `ADDRESS_HASH_SECRET`: `id:key` pairs, the write key first, then keys for reading only; a key without an id is
 * 1.
 * @returns null for invalid text
 */
export function parseAddressKeys(text: string): readonly AddressKey[] | null {
  const keys = text.split(',').map((pair) => parseAddressKey(pair.trim()));
  const ids = new Set(keys.map((key) => key?.id));
  return keys.includes(null) || ids.size < keys.length ? null : (keys as AddressKey[]);
}

function parseAddressKey(pair: string): AddressKey | null {
  const [, digits, rest] = /^(\d+):(.*)$/.exec(pair) ?? [];
  const id = digits === undefined ? 1 : Number(digits);
  const key = rest ?? pair;
  return id >= 1 && id <= 255 && PRINTABLE.test(key) ? { id, key } : null;
}
