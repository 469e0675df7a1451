import type { Input } from '../../src/verify-file/input/open-input.js';

/** An input that comes in small pieces, for the specs. */
export function inputOf(octets: Uint8Array, pieceSize = 7): Input {
  return {
    name: 'leads.csv',
    async *read(from = 0) {
      for (let at = from; at < octets.length; at += pieceSize) yield Buffer.from(octets.subarray(at, at + pieceSize));
    },
    hasChanged: async () => false,
    close: async () => undefined,
  };
}
