import { listedName } from '../../engine/signals/listed-name.js';
import { BLACKLISTS, type BlacklistRow } from './data/blacklists.js';

/** A DNS blacklist as it is asked. */
export interface Blacklist extends BlacklistRow {
  /** What is asked below. The zone of a paid feed holds the customer's key: logs and metrics show `name` instead. */
  readonly zone: string;
}

const rows = new Map(BLACKLISTS.map((row) => [row.zone, row]));

/**
 * The list behind a configured zone. A zone that is not in the table is read as RFC 5782 says: any answer of 127.0.0.2 and
 * above is a listing.
 *
 * @param zone lowercase, no trailing dot
 * @param lists what an unknown zone holds
 */
export function blacklistOf(zone: string, lists: Blacklist['lists'] = 'ip'): Blacklist {
  const known = rows.get(listedName(rows, zone) ?? '');
  if (known !== undefined) return { ...known, zone };
  return { zone, name: zone, lists, listed: ['127.0.0.2-127.255.254.255'], errors: ['127.0.0.1'] };
}
