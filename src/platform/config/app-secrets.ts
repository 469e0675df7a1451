import type { EgressEntry } from '../egress/parse-smtp-egress.js';
import type { AddressKey } from './address-keys.js';
import type { DatabaseTarget } from './database-url.js';
import type { DnsblZone } from './dnsbl-zones.js';
import type { ListUrl } from './list-urls.js';

/** What must never be logged or shown. An injection token by itself; only those who connect take it. */
export abstract class AppSecrets {
  abstract readonly database: DatabaseTarget;
  /** `redis://` or `rediss://`. */
  abstract readonly redisUrl: string;
  /** Entries of `SMTP_EGRESS` (proxies may carry passwords); empty when unset. */
  abstract readonly smtpEgress: readonly EgressEntry[];
  /** What has to be shown at `/metrics`; null: nothing. */
  abstract readonly metricsToken: string | null;
  /** The one written with first; never empty. */
  abstract readonly addressKeys: readonly AddressKey[];
  /** DNS blacklists that the crawl asks: the zones of paid feeds hold a key. */
  abstract readonly dnsblZones: readonly DnsblZone[];
  /** Lists that are fetched at run time: a URL may hold a token. */
  abstract readonly listUrls: readonly ListUrl[];
}
