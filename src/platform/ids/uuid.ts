import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random octets per read from the system, which is the main cost of an id; the library reads 256. */
const POOL = new Uint8Array(4096);
const ID_OCTETS = 16;
const MAX_SEQUENCE = 0xffff_ffff;

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let used = POOL.length;
let latestMs = 0;
let sequence = 0;

/**
 * Creates a UUIDv7 (RFC 9562 5.7), lowercase. Ids of one process sort by creation, even while its clock stands still
 * or goes back: a random counter follows the milliseconds (6.2, method 1).
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
    // The highest bit stays free for counting.
    sequence = ((random[6]! & 0x7f) << 24) | (random[7]! << 16) | (random[8]! << 8) | random[9]!;
  } else if (++sequence > MAX_SEQUENCE) {
    latestMs++;
    sequence = 0;
  }
  return v7({ random, msecs: latestMs, seq: sequence });
}

/** True for a UUID as `newId` writes it, of any version. */
export function isId(text: string): boolean {
  return FORM.test(text);
}

/** The 16 octets for a `binary(16)` column, in text order, so that rows sort by time. */
export function idToBytes(id: string): Buffer {
  const hex = id.slice(0, 8) + id.slice(9, 13) + id.slice(14, 18) + id.slice(19, 23) + id.slice(24);
  return Buffer.from(hex, 'hex');
}

/** The text of a `binary(16)` column. */
export function idFromBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
