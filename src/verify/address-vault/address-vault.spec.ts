import { AddressVault } from './address-vault.js';

const OLD = { id: 1, key: 'the key of last year' };
const NEW = { id: 9, key: 'the key of this year' };
const ANN = { localPart: 'ann', domain: 'example.com' };
const BOB = { localPart: 'bob', domain: 'example.com' };

describe('AddressVault', () => {
  const vault = new AddressVault([OLD]);
  const rotated = new AddressVault([NEW, OLD]);

  it('hashes with HMAC-SHA-256 over the canonical address', () => {
    // printf %s ann@example.com | openssl dgst -sha256 -hmac 'the key of last year'
    expect(vault.hash(ANN)).toBe('f28f10da74d7e5badba3779c07a5333e0b4ae07d5a8d0af02a72ebc43251b166');
    expect(vault.hash(BOB)).not.toBe(vault.hash(ANN));
  });

  it('returns hashes under old keys too, the current one first', () => {
    expect(rotated.hashes(ANN)).toEqual([rotated.hash(ANN), vault.hash(ANN)]);
    expect(rotated.hash(ANN)).not.toBe(vault.hash(ANN));
    expect([vault.keyId, rotated.keyId]).toEqual([1, 9]);
  });

  it('opens what it sealed, also under an older key, and never seals to the same text twice', () => {
    const text = 'jösé+Ω@example.com';
    const sealed = vault.seal(text, vault.hash(ANN));
    expect(rotated.open(sealed, vault.hash(ANN))).toBe(text);
    expect(sealed.toString('latin1')).not.toContain('example');
    expect(vault.seal(text, vault.hash(ANN))).not.toEqual(sealed);
    expect(rotated.seal(text, rotated.hash(ANN))[0]).toBe(9);
  });

  it.each([
    [[OLD], [OLD, NEW]],
    [
      [OLD, NEW],
      [NEW, OLD],
    ],
    [[NEW, OLD], [NEW]],
  ])(
    'is rotated behind the old key first: what one process writes from then on, the other reads (%#)',
    (before, after) => {
      const [one, other] = [new AddressVault(before), new AddressVault(after)];
      for (const [writer, reader] of [
        [one, other],
        [other, one],
      ] as const) {
        expect(reader.open(writer.seal('ann@example.com', writer.hash(ANN)), writer.hash(ANN))).toBe('ann@example.com');
        expect(reader.hashes(ANN)).toContain(writer.hash(ANN));
      }
    },
  );

  it('cannot be read by a process without the new key, where that is put in front at once', () => {
    expect(() => vault.open(rotated.seal('ann@example.com', rotated.hash(ANN)), rotated.hash(ANN))).toThrow(
      'its key is missing',
    );
    expect(vault.hashes(ANN)).not.toContain(rotated.hash(ANN));
  });

  it('opens nothing under the hash of another address', () => {
    const sealed = vault.seal('ann@example.com', vault.hash(ANN));
    expect(() => vault.open(sealed, vault.hash(BOB))).toThrow('a sealed address cannot be opened');
  });

  it('opens nothing without the key', () => {
    const sealed = rotated.seal('ann@example.com', rotated.hash(ANN));
    expect(() => vault.open(sealed, rotated.hash(ANN))).toThrow('its key is missing');
    expect(() =>
      new AddressVault([{ id: 9, key: 'another key with this id' }]).open(sealed, rotated.hash(ANN)),
    ).toThrow('a sealed address cannot be opened');
  });

  it('opens nothing that was changed or truncated', () => {
    const hash = vault.hash(ANN);
    const sealed = vault.seal('ann@example.com', hash);
    for (let i = 0; i < sealed.length; i++) {
      const forged = Buffer.from(sealed);
      forged[i]! ^= 1;
      expect(() => vault.open(forged, hash)).toThrow('a sealed address cannot be opened');
      expect(() => vault.open(sealed.subarray(0, i), hash)).toThrow('a sealed address cannot be opened');
    }
  });

  it('requires a key', () => {
    expect(() => new AddressVault([])).toThrow('needs a key');
  });
});
