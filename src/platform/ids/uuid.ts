import { v7 } from 'uuid';

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A new id: UUIDv7 (RFC 9562 5.7), lowercase, so that ids sort by the time they were made. */
export function newId(): string {
  return v7();
}

/** True for a UUID in the form `newId` writes it; any version. */
export function isId(text: string): boolean {
  return FORM.test(text);
}

/** The 16 octets that a `binary(16)` column holds, in the order of the text: rows then sort by time too. */
export function idToBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The text form of a `binary(16)` column. */
export function idFromBytes(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
