/** A DNS blacklist that the domain crawl queries. */
export interface DnsblZone {
  /** Lowercase, no trailing dot. The zone of a paid feed contains the customer's key. */
  readonly zone: string;
  /** The kind of its entries; null: not given, as for well-known lists. */
  readonly lists: 'ip' | 'domain' | null;
}

/** Every mail host of every domain is looked up in each zone. */
const MAX_ZONES = 20;
/** The looked-up name is put in front: 64 octets for the longest address. */
const MAX_ZONE_LENGTH = 180;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/**
 * Reads `DNSBL_ZONES`: a comma list of `zone`, `zone=ip` or `zone=domain`; `none` for none.
 * @throws RangeError that names the entry's number and the rule, never its text
 */
export function parseDnsblZones(text: string): readonly DnsblZone[] {
  if (text.trim().toLowerCase() === 'none') return [];
  const zones = text.split(',').map((entry, index) => {
    const zone = parseEntry(entry.trim().toLowerCase());
    if (zone === null) throw new RangeError(`entry ${index + 1} must be <zone>, <zone>=ip or <zone>=domain`);
    return zone;
  });
  if (zones.length > MAX_ZONES) throw new RangeError(`at most ${MAX_ZONES} zones`);
  if (new Set(zones.map(({ zone }) => zone)).size < zones.length) throw new RangeError('must name each zone once');
  return zones;
}

function parseEntry(entry: string): DnsblZone | null {
  const [name = '', lists = null, ...more] = entry.split('=');
  const zone = name.endsWith('.') ? name.slice(0, -1) : name;
  const labels = zone.split('.');
  const isZone = zone.length <= MAX_ZONE_LENGTH && labels.length >= 2 && labels.every((label) => LABEL.test(label));
  if (!isZone || more.length > 0) return null;
  return lists === null || lists === 'ip' || lists === 'domain' ? { zone, lists } : null;
}
