import type { RecordType } from './resolver.js';

/** IANA numbers of the supported types, and of OPT (RFC 6891), which carries EDNS. */
export const TYPE_NUMBER: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DS: 43,
  DNSKEY: 48,
  TLSA: 52,
  CAA: 257,
};

export const OPT = 41;
/** DNAME and RRSIG accompany the records of an answer (RFC 6672 3.1, RFC 4035 3.1). */
export const COMPANIONS: ReadonlySet<number> = new Set([39, 46]);

const names = new Map(Object.entries(TYPE_NUMBER).map(([name, number]) => [number, name as RecordType]));

/** Null for an unsupported type. */
export function typeName(number: number): RecordType | null {
  return names.get(number) ?? null;
}
