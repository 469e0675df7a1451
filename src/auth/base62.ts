const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * The largest multiple of 62 in a byte. Larger bytes are discarded; otherwise the first letters would be more
 * frequent.
 */
const UNBIASED_BELOW = 248;

/** A non-negative integer in base62, most significant digit first, padded with `0` to `length` characters. */
export function encodeBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length || rest > 0; rest = Math.floor(rest / 62)) {
    text = ALPHABET.charAt(rest % 62) + text;
  }
  return text;
}

/** `length` random base62 characters, all equally likely. */
export function randomBase62(length: number, randomBytes: (size: number) => Uint8Array): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length - text.length)) {
      if (byte < UNBIASED_BELOW) text += ALPHABET.charAt(byte % 62);
    }
  }
  return text;
}
