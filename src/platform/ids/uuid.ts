import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Octets that are fetched at once: the library fetches 256, and to ask the system for them is what an id costs most. */
const POOL = new Uint8Array(4096);
const ID_OCTETS = 16;
const MAX_SEQUENCE = 0xffff_ffff;

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let used = POOL.length;
let latestMs = 0;
let sequence = 0;

/**
 * A new id: UUIDv7 (RFC 9562 5.7), lowercase. Ids of one process sort in the order they were made, also while its clock
 * stands still or goes back: a random number that counts up follows the milliseconds (6.2, method 1).
 */
export function newId(): string {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const random = POOL.subarray(used, (used += ID_OCTETS));
  const now = Date.now();
  if (now > latestMs) {
    latestMs = now;
    // Its highest bit is left free, so that it has room to count.
    sequence = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  } else if (++sequence > MAX_SEQUENCE) {
    latestMs++;
    sequence = 0;
  }
  return v7({ random, msecs: latestMs, seq: sequence });
}

/** True for a UUID in the form `newId` writes it; any version. */
export function isId(text: string): boolean {
  return FORM.test(text);
}

/** The 16 octets that a `binary(16)` column holds, in the order of the text: rows then sort by time too. */
export function idToBytes(id: string): Buffer {
  const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return Buffer.from(hex, 'hex');
}

/** The text form of a `binary(16)` column. */
export function idFromBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
