import type { RecordData } from '../../engine/dns/resolver.js';

/**
 * The domain says that it takes no mail (RFC 7505 3): `MX 0 .`. As in the look-up of mail hosts, several such records or
 * another preference say the same; any real target beside them says otherwise.
 */
export function isNullMx(records: readonly RecordData[]): boolean {
  const targets = records.flatMap((record) => (record.type === 'MX' ? [record.exchange] : []));
  return targets.length > 0 && targets.every((target) => target === '.');
}
