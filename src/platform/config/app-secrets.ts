import { parseSmtpEgress, type EgressEntry } from '../egress/parse-smtp-egress.js';
import { ADDRESS_KEYS_RULE, DEVELOPMENT_ADDRESS_KEY, parseAddressKeys, type AddressKey } from './address-keys.js';
import { parseDatabaseUrl, type DatabaseTarget } from './database-url.js';
import { parseDnsblZones, type DnsblZone } from './dnsbl-zones.js';
import { parseListUrls, type ListUrl } from './list-urls.js';
import { parseRedisUrl, REDIS_URL_RULE } from './redis-url.js';
import { anyText, matching, printable, rule } from './rules.js';
import type { VariableReader } from './variable-reader.js';

/** Secrets: never log or show them. Also the injection token; inject it only to connect. */
export abstract class AppSecrets {
  abstract readonly database: DatabaseTarget;
  /** A replica of it, for reads that may be some seconds old; null: none. */
  abstract readonly databaseReplica: DatabaseTarget | null;
  /** `parseRedisUrl` reads it. */
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

const ROWS = ['api', 'worker', 'console', 'cli'] as const;

/** Every variable with a secret, as `readConfig` lists the others. */
export function readSecrets(read: VariableReader): AppSecrets {
  return {
    database: read.required('DATABASE_URL', ROWS, databaseUrl),
    databaseReplica: read.nullable('DATABASE_REPLICA_URL', ['worker', 'console', 'cli'], replicaUrl, 'none'),
    redisUrl: read.optional('REDIS_URL', ROWS, redisUrl, 'redis://127.0.0.1:6379'),
    smtpEgress: read.nullable('SMTP_EGRESS', ['api', 'worker', 'console', 'engine'], smtpEgress, 'this machine') ?? [],
    metricsToken: read.nullable('METRICS_TOKEN', ['api', 'worker', 'console'], metricsToken, 'none'),
    addressKeys: readAddressKeys(read),
    dnsblZones: read.nullable('DNSBL_ZONES', ['worker'], parseDnsblZones, 'none') ?? [],
    listUrls: read.nullable('LIST_URLS', ['worker', 'cli'], parseListUrls, 'none') ?? [],
    oidcClientSecret: read.nullable('OIDC_CLIENT_SECRET', ['console'], printable(512), 'none'),
  };
}

const DATABASE_FORM = 'as mysql://user:password@host:port/database (?ssl=true for TLS)';

const databaseUrl = rule(
  `must be written ${DATABASE_FORM}, a / ? # or % of user or password percent-encoded`,
  (text) => {
    if (text === '') throw new RangeError(`is required, ${DATABASE_FORM}`);
    return parseDatabaseUrl(text);
  },
);

const replicaUrl = rule('must be mysql://user:password@host:port/database, with one host', (text) => {
  const target = parseDatabaseUrl(text);
  return target === null || target.others.length > 0 ? null : target;
});

const redisUrl = rule(REDIS_URL_RULE, (text) => (parseRedisUrl(text) === null ? null : text));

function smtpEgress(text: string): readonly EgressEntry[] {
  const parsed = parseSmtpEgress(text);
  if (parsed.ok) return parsed.entries;
  throw new RangeError(parsed.faults.map(({ entry, rule: broken }) => `entry ${entry} ${broken}`).join('; '));
}

const metricsToken = matching('must be at least 16 printable characters without spaces', /^[!-~]{16,512}$/);

const addressKeys = rule(ADDRESS_KEYS_RULE, parseAddressKeys);

/** The development key is public: production must not fall back to it unnoticed. */
function readAddressKeys(read: VariableReader): readonly AddressKey[] {
  const production = read.nullable('NODE_ENV', ROWS, anyText, 'no production') === 'production';
  const keys = read.nullable('ADDRESS_HASH_SECRET', ROWS, addressKeys, 'a fixed one, unless in production');
  if (keys === null && production) {
    read.faults.set(
      'ADDRESS_HASH_SECRET',
      'is required where NODE_ENV is production, as id:key (1 to 255, 16 characters)',
    );
  }
  return keys ?? [DEVELOPMENT_ADDRESS_KEY];
}
