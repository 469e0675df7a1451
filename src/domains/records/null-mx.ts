import type { RecordData } from '../../engine/dns/resolver.js';

/**
 * The domain accepts no mail (RFC 7505 3): `MX 0 .`. As in the look-up of mail hosts, repeated records or another
 * preference count too; any real target beside them means that it does accept mail.
 */
export function isNullMx(records: readonly RecordData[]): boolean {
  const targets = records.flatMap((record) => (record.type === 'MX' ? [record.exchange] : []));
  return targets.length > 0 && targets.every((target) => target === '.');
}
