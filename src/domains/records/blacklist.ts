import { listedName } from '../../engine/signals/listed-name.js';
import { BLACKLISTS, type BlacklistRow } from './data/blacklists.js';

/** A DNS blacklist to query. */
export interface Blacklist extends BlacklistRow {
  /** The zone to query. A paid feed's zone contains the customer's key: logs and metrics show `name` instead. */
  readonly zone: string;
}

const rows = new Map(BLACKLISTS.map((row) => [row.zone, row]));

/**
 * The list of a configured zone. For a zone that is not in the table, RFC 5782 applies: any answer of 127.0.0.2 and
 * above is a listing.
 *
 * @param zone lowercase, no trailing dot
 * @param lists the kind of entries in an unknown zone
 */
export function blacklistOf(zone: string, lists: Blacklist['lists'] = 'ip'): Blacklist {
  const known = rows.get(listedName(rows, zone) ?? '');
  if (known !== undefined) return { ...known, zone };
  return { zone, name: zone, lists, listed: ['127.0.0.2-127.255.254.255'], errors: ['127.0.0.1'] };
}
