import type { EgressEntry } from '../egress/parse-smtp-egress.js';
import type { AddressKey } from './address-keys.js';
import type { DatabaseTarget } from './database-url.js';
import type { DnsblZone } from './dnsbl-zones.js';
import type { ListUrl } from './list-urls.js';

/** Secrets: never log or show them. Also the injection token; inject it only to connect. */
export abstract class AppSecrets {
  abstract readonly database: DatabaseTarget;
  /** `redis://` or `rediss://`. */
  abstract readonly redisUrl: string;
  /** Entries of `SMTP_EGRESS` (proxies may carry passwords); empty when unset. */
  abstract readonly smtpEgress: readonly EgressEntry[];
  /** The token required at `/metrics`; null: none. */
  abstract readonly metricsToken: string | null;
  /** The write key first; never empty. */
  abstract readonly addressKeys: readonly AddressKey[];
  /** DNS blacklists that the crawl queries: zones of paid feeds contain a key. */
  abstract readonly dnsblZones: readonly DnsblZone[];
  /** Lists fetched at run time: a URL may contain a token. */
  abstract readonly listUrls: readonly ListUrl[];
  /** `OIDC_CLIENT_SECRET`; null: no sign-in by OpenID Connect. */
  abstract readonly oidcClientSecret: string | null;
}
