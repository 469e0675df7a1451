import { isIP } from 'node:net';
import { z } from 'zod';
import { parseDnsServers } from '../../engine/dns/dns-servers.js';
import { isHeloName, parseSmtpEgress, type EgressEntry } from '../egress/parse-smtp-egress.js';
import { QUEUE_NAMES, type QueueName } from './queue-names.js';
import { ADDRESS_KEYS_RULE, parseAddressKeys } from './address-keys.js';
import { parseDatabaseUrl } from './database-url.js';
import {
  CONSOLE_ORIGIN_RULE,
  ISSUER_RULE,
  LINK_RULE,
  parseConsoleOrigin,
  parseIssuer,
  parseLink,
  parsePublicUrl,
  PUBLIC_URL_RULE,
} from './console-urls.js';
import { DNSBL_ZONES_RULE, parseDnsblZones } from './dnsbl-zones.js';
import { LIST_URLS_RULE, parseListUrls } from './list-urls.js';
import { LOG_LEVELS } from './log-level.js';
import { list, nullable, optional, required, rule, truth, wholeNumber } from './variable.js';

const DATABASE_RULE = 'is required, as mysql://user:password@host:port/database (?ssl=true for TLS)';
const REDIS_RULE = 'must be redis://[user:password@]host[:port][/number], or rediss:// for TLS';

const HOST_RULE = 'must be an IP address or a host name';

const milliseconds = (from: number) => wholeNumber(from, 600_000);
const hostName = (text: string) =>
  text.length <= 253 && /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
    ? text
    : null;

const parseHost = (text: string) => (isIP(text) === 0 ? hostName(text) : text);
const printable = (maxLength: number) => (text: string) =>
  text.length <= maxLength && /^[ -~]+$/.test(text) ? text : null;

/**
 * Every variable the product reads, with its rule and default. A contract test compares docs/configuration.md with it.
 * Names are a contract with operators: add new ones, rename none.
 */
export const environment = z.object({
  DATABASE_URL: required(rule(DATABASE_RULE, parseDatabaseUrl)),
  REDIS_URL: optional(rule(REDIS_RULE, parseRedisUrl), 'redis://127.0.0.1:6379'),
  PORT: optional(wholeNumber(0, 65_535), '3000'),
  HOST: optional(rule(HOST_RULE, parseHost), '0.0.0.0'),
  WORKER_PORT: optional(wholeNumber(0, 65_535), '3001'),
  WORKER_QUEUES: optional(rule(`must be a comma list of ${QUEUE_NAMES.join(', ')}`, queues), QUEUE_NAMES.join(',')),
  WORKER_CONCURRENCY: optional(wholeNumber(1, 1000), '50'),
  CONSOLE_PORT: optional(wholeNumber(0, 65_535), '3002'),
  CONSOLE_HOST: optional(rule(HOST_RULE, parseHost), '127.0.0.1'),
  CONSOLE_METRICS_PORT: optional(wholeNumber(0, 65_535), '9465'),
  CONSOLE_ORIGIN: nullable(rule(CONSOLE_ORIGIN_RULE, parseConsoleOrigin), 'loopback names'),
  CONSOLE_TOPUP_URL: nullable(rule(LINK_RULE, parseLink), 'none'),
  PUBLIC_URL: nullable(rule(PUBLIC_URL_RULE, parsePublicUrl), 'http://127.0.0.1:<PORT>'),
  OIDC_ISSUER: nullable(rule(ISSUER_RULE, parseIssuer), 'none'),
  OIDC_CLIENT_ID: nullable(rule('must be 1 to 255 printable characters', printable(255)), 'none'),
  OIDC_CLIENT_SECRET: nullable(rule('must be 1 to 512 printable characters', printable(512)), 'none'),
  METRICS_PORT: optional(wholeNumber(0, 65_535), '9464'),
  METRICS_TOKEN: nullable(
    rule('must be at least 16 printable characters without spaces', (text) =>
      /^[!-~]{16,512}$/.test(text) ? text : null,
    ),
    'none',
  ),
  TRUST_PROXY: nullable(list('must be a comma list of IP addresses and networks (10.0.0.0/8)', parseNetwork), 'nobody'),
  AUTH_FAILURES_PER_MINUTE: optional(wholeNumber(1, 1_000_000), '30'),
  DNS_SERVERS: nullable(rule('must be a comma list of ip or ip:port', parseDnsServers), 'from resolv.conf'),
  DNS_TIMEOUT_MS: optional(milliseconds(1), '3000'),
  SMTP_PORT: optional(wholeNumber(1, 65_535), '25'),
  SMTP_HELO_NAME: nullable(rule('must be a host name with a dot', heloName), 'host name'),
  SMTP_MAIL_FROM: nullable(rule('must be an email address', parseMailFrom), 'verify@<helo name>'),
  SMTP_CONNECT_TIMEOUT_MS: optional(milliseconds(1), '5000'),
  SMTP_GREETING_TIMEOUT_MS: optional(milliseconds(1), '40000'),
  SMTP_COMMAND_TIMEOUT_MS: optional(milliseconds(1), '15000'),
  SMTP_EGRESS: nullable(
    rule('must be a comma list of <source address or socks5 URL>=<HELO name>', egress),
    'this machine',
  ),
  SMTP_ALLOW_PRIVATE_NETWORKS: optional(truth(), 'false'),
  SMTP_MAX_CONNECTIONS: nullable(wholeNumber(1, 1000), '2, in laboratories 20'),
  SMTP_RECIPIENTS_PER_MINUTE: nullable(wholeNumber(1, 60_000), '60, in laboratories 60000'),
  SMTP_CHECK_DOMAINS: nullable(
    rule('must be none or a comma list of domains', domains),
    'three big ones, in laboratories none',
  ),
  VERIFY_DEADLINE_MS: optional(milliseconds(1), '8000'),
  PROBE_DEADLINE_MS: optional(milliseconds(1), '60000'),
  PROBE_IN_API: optional(truth(), 'true'),
  GUARD_DEADLINE_MS: optional(milliseconds(1), '600'),
  GREYLIST_RETRY_MS: optional(wholeNumber(0, 3_600_000), '900000'),
  DNSBL_ZONES: nullable(rule(DNSBL_ZONES_RULE, parseDnsblZones), 'none'),
  LIST_URLS: nullable(rule(LIST_URLS_RULE, parseListUrls), 'none'),
  HTTPS_PORT: optional(wholeNumber(1, 65_535), '443'),
  ADDRESS_HASH_SECRET: nullable(rule(ADDRESS_KEYS_RULE, parseAddressKeys), 'a fixed one, unless in production'),
  NODE_ENV: nullable(z.string(), 'no production'),
  KEY_PREFIX: optional(
    rule('must be 1 to 16 lowercase letters and digits, a letter first', (text) =>
      /^[a-z][a-z0-9]{0,15}$/.test(text) ? text : null,
    ),
    'mv',
  ),
  RATE_LIMIT_FAIL_OPEN_MS: optional(milliseconds(0), '30000'),
  IDEMPOTENCY_TTL_HOURS: optional(wholeNumber(1, 8760), '24'),
  LOG_LEVEL: optional(
    rule(`must be one of ${LOG_LEVELS.join(', ')}`, (text) => LOG_LEVELS.find((level) => level === text) ?? null),
    'info',
  ),
  SHUTDOWN_DELAY_MS: optional(milliseconds(0), '5000'),
  SHUTDOWN_GRACE_MS: optional(milliseconds(0), '25000'),
});
export type Environment = z.output<typeof environment>;
export type VariableName = keyof Environment;

function parseRedisUrl(text: string): string | null {
  if (/^(mysql|mariadb|memcached?|amqps?|postgres(ql)?):/i.test(text)) {
    throw new RangeError(`names another kind of server: ${REDIS_RULE}`);
  }
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d{0,3}$/.test(url.pathname) ? text : null;
}

function egress(text: string): readonly EgressEntry[] {
  const parsed = parseSmtpEgress(text);
  if (parsed.ok) return parsed.entries;
  throw new RangeError(parsed.faults.map(({ entry, rule: broken }) => `entry ${entry} ${broken}`).join('; '));
}

/** Removes duplicates. */
function queues(text: string): readonly QueueName[] | null {
  const named = new Set(text.split(',').map((name) => name.trim()));
  const known = QUEUE_NAMES.filter((name) => named.has(name));
  return known.length === named.size ? known : null;
}

function heloName(text: string): string | null {
  const name = withoutFinalDot(text.toLowerCase());
  return isHeloName(name) ? name : null;
}

/** Strips the final dot of a DNS name: `example.com.` is `example.com`. */
function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name;
}

function domains(text: string): readonly string[] | null {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => withoutFinalDot(name.trim().toLowerCase()));
  return names.every((name) => isHeloName(name)) ? names : null;
}

function parseNetwork(text: string): string | null {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return null;
  if (bits === undefined) return text;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128) ? text : null;
}

/** Strict, since the text goes into an SMTP command: no quoting, no brackets, no white space. */
function parseMailFrom(written: string): string | null {
  const text = withoutFinalDot(written);
  const at = text.lastIndexOf('@');
  return /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/.test(text.slice(0, Math.max(at, 0))) && hostName(text.slice(at + 1)) !== null
    ? text
    : null;
}
