import type { Encoding } from './text-encoding';

/**
 * A text as the numbers its separators are looked for in: bytes, or 16-bit units of UTF-16. Separators, quotes and line
 * ends are ASCII, which is written alike in every encoding that the page reads.
 */
export interface CodeUnits {
  readonly units: Uint8Array | Uint16Array;
  /** Octets of the file in one unit. */
  readonly size: 1 | 2;
}

/** The units of `bytes`, which start after the byte order mark. A last lone octet of UTF-16 belongs to no unit. */
export function codeUnits(bytes: Uint8Array, encoding: Encoding): CodeUnits {
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return { units: bytes, size: 1 };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const units = new Uint16Array(bytes.byteLength >> 1);
  const littleEndian = encoding === 'utf-16le';
  for (let at = 0; at < units.length; at++) units[at] = view.getUint16(at * 2, littleEndian);
  return { units, size: 2 };
}
