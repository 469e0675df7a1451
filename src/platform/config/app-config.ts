import { hostname } from 'node:os';
import { parseDnsServers } from '../../engine/dns/dns-servers.js';
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
import { defaultHeloName } from './default-helo-name.js';
import { LOG_LEVELS } from './log-level.js';
import { QUEUE_NAMES } from './queue-names.js';
import {
  domains,
  envelopeSender,
  heloName,
  hostOrAddress,
  listenPort,
  matching,
  milliseconds,
  networks,
  oneOf,
  printable,
  remotePort,
  rule,
  someOf,
  truth,
  wholeNumber,
} from './rules.js';
import type { TracingConfig } from './load-tracing.js';
import type { Role, VariableReader } from './variable-reader.js';

type Config = ReturnType<typeof readConfig>;

/** Configuration of a process, without secrets: may be logged. Also the injection token. */
export abstract class AppConfig {
  abstract readonly role: Role;
  abstract readonly http: Config['http'];
  abstract readonly metrics: Config['metrics'];
  abstract readonly dns: Config['dns'];
  abstract readonly smtp: Config['smtp'];
  abstract readonly verify: Config['verify'];
  abstract readonly probes: Config['probes'];
  abstract readonly crawl: Config['crawl'];
  abstract readonly guard: Config['guard'];
  abstract readonly queues: Config['queues'];
  abstract readonly worker: Config['worker'];
  abstract readonly publicUrl: Config['publicUrl'];
  abstract readonly console: Config['console'];
  abstract readonly keys: Config['keys'];
  abstract readonly rateLimit: Config['rateLimit'];
  abstract readonly billing: Config['billing'];
  abstract readonly logging: Config['logging'];
  /** Null: no tracing. */
  abstract readonly tracing: TracingConfig | null;
  abstract readonly shutdown: Config['shutdown'];
}

const API = ['api'] as const;
const WORKER = ['worker'] as const;
const CONSOLE = ['console'] as const;
/** Those that are called from outside. */
const CALLED = ['api', 'console'] as const;
const EVERYONE = ['api', 'worker', 'console', 'cli'] as const;
const SERVERS = ['api', 'worker', 'console'] as const;
const CHECKING = ['api', 'worker', 'console', 'engine'] as const;
/** Those that may ask for many addresses. */
const MANY = ['worker', 'engine'] as const;

/**
 * Every variable that is no secret: its name, who reads it, its rule and its default. A contract test compares
 * docs/configuration.md with it. Names are a contract with operators: add new ones, rename none.
 */
export function readConfig(read: VariableReader) {
  const apiPort = read.optional('PORT', SERVERS, listenPort, '3000');
  const listeners = readListeners(read, apiPort);
  return {
    http: {
      ...listeners.own,
      /** Addresses and networks of balancers whose `X-Forwarded-For` is trusted. Empty: none. */
      trustedProxies: read.nullable('TRUST_PROXY', CALLED, networks, 'nobody') ?? [],
    },
    metrics: {
      /** The metrics port of the API or the console; null: no metrics. The worker shows metrics on its only port. */
      port: ownMetricsPort(read) || null,
    },
    dns: {
      /** Empty: the machine's own (resolv.conf). */
      servers: read.nullable('DNS_SERVERS', CHECKING, parseDnsServers, 'from resolv.conf') ?? [],
      /** For one query to one server. */
      timeoutMs: read.optional('DNS_TIMEOUT_MS', CHECKING, milliseconds(1), '3000'),
    },
    smtp: readSmtp(read),
    verify: {
      /** Time limit of a `single` call. */
      deadlineMs: read.optional('VERIFY_DEADLINE_MS', CHECKING, milliseconds(1), '8000'),
    },
    probes: {
      /** Time limit of a check in the worker. */
      deadlineMs: read.optional('PROBE_DEADLINE_MS', MANY, milliseconds(1), '60000'),
      /** Delay before the retry of a greylisted address whose host names none; 0: no retry. */
      greylistRetryMs: read.optional('GREYLIST_RETRY_MS', CHECKING, wholeNumber(0, 3_600_000), '900000'),
      /** False: this process leaves every probe to the worker, as the console always does. */
      here: read.optional('PROBE_IN_API', API, truth, 'true') && read.reader !== 'console',
    },
    crawl: {
      /** Port to fetch policy files from. */
      httpsPort: read.optional('HTTPS_PORT', WORKER, remotePort, '443'),
    },
    guard: {
      /** Time limit of a guard's remote decision, from the arrival of its request. */
      deadlineMs: read.optional('GUARD_DEADLINE_MS', API, milliseconds(1), '600'),
    },
    queues: {
      /** Into how many queues of Redis a queue is split (`QueueParts`). */
      parts: { 'smtp-probe': read.optional('SMTP_PROBE_QUEUES', EVERYONE, wholeNumber(1, 32), '1') },
    },
    worker: {
      /** Queues that this process serves. */
      queues: read.optional('WORKER_QUEUES', WORKER, someOf(QUEUE_NAMES), QUEUE_NAMES.join(',')),
      /** Concurrent probes. */
      concurrency: read.optional('WORKER_CONCURRENCY', WORKER, wholeNumber(1, 1000), '50'),
    },
    /** The API's public address, without a final slash: for links. */
    publicUrl:
      read.nullable('PUBLIC_URL', SERVERS, rule(PUBLIC_URL_RULE, parsePublicUrl), 'http://127.0.0.1:<PORT>') ??
      `http://127.0.0.1:${apiPort}`,
    console: {
      /** `CONSOLE_PORT`, for links of commands. */
      port: listeners.ofConsole.port,
      /** The console's public origin; null: names of the loopback interface, over http. */
      origin: read.nullable(
        'CONSOLE_ORIGIN',
        ['console', 'cli'],
        rule(CONSOLE_ORIGIN_RULE, parseConsoleOrigin),
        'loopback names',
      ),
      /** Where the console sends people who want credits; null: nowhere. */
      topupUrl: read.nullable('CONSOLE_TOPUP_URL', CONSOLE, rule(LINK_RULE, parseLink), 'none'),
      oidc: readOidc(read),
    },
    keys: {
      /** `mv` in `mv_live_…`. */
      prefix: read.optional('KEY_PREFIX', ['api', 'console', 'cli'], keyPrefix, 'mv'),
    },
    rateLimit: {
      /** Unknown keys per minute and client address that are answered 401; then 429 (decisions 3.5). */
      authFailuresPerMinute: read.optional('AUTH_FAILURES_PER_MINUTE', API, wholeNumber(1, 1_000_000), '30'),
      /** How long requests are limited by this process's own count while Redis is down (decisions 3.4). */
      failOpenMs: read.optional('RATE_LIMIT_FAIL_OPEN_MS', CALLED, milliseconds(0), '30000'),
    },
    billing: {
      /** How long the answer to a call with an `Idempotency-Key` is kept (decisions 1.7). */
      answerHours: read.optional('IDEMPOTENCY_TTL_HOURS', CALLED, wholeNumber(1, 8760), '24'),
    },
    logging: {
      level: read.optional('LOG_LEVEL', SERVERS, oneOf(LOG_LEVELS), 'info'),
    },
    shutdown: {
      /** How long the API serves on after SIGTERM, so that balancers notice. */
      delayMs: read.optional('SHUTDOWN_DELAY_MS', CALLED, milliseconds(0), '5000'),
      /** How long requests and jobs in flight may take after that. */
      graceMs: read.optional('SHUTDOWN_GRACE_MS', SERVERS, milliseconds(0), '25000'),
    },
  } as const;
}

const keyPrefix = matching('must be 1 to 16 lowercase letters and digits, a letter first', /^[a-z][a-z0-9]{0,15}$/);

/** Where this process listens, and the console. Port 0: any free one. */
function readListeners(read: VariableReader, apiPort: number) {
  const host = read.optional('HOST', ['api', 'worker'], hostOrAddress, '0.0.0.0');
  const workerPort = read.optional('WORKER_PORT', WORKER, listenPort, '3001');
  const ofConsole = {
    host: read.optional('CONSOLE_HOST', CONSOLE, hostOrAddress, '127.0.0.1'),
    port: read.optional('CONSOLE_PORT', ['console', 'cli'], listenPort, '3002'),
  };
  const others = { host, port: read.reader === 'worker' ? workerPort : apiPort };
  return { ofConsole, own: read.reader === 'console' ? ofConsole : others };
}

function ownMetricsPort(read: VariableReader): number {
  const api = read.optional('METRICS_PORT', API, listenPort, '9464');
  const ofConsole = read.optional('CONSOLE_METRICS_PORT', CONSOLE, listenPort, '9465');
  return read.reader === 'console' ? ofConsole : api;
}

/** Sign-in by OpenID Connect; null: off. `readSecrets` has read its secret. */
function readOidc(read: VariableReader) {
  const issuer = read.nullable('OIDC_ISSUER', CONSOLE, rule(ISSUER_RULE, parseIssuer), 'none');
  const clientId = read.nullable('OIDC_CLIENT_ID', CONSOLE, printable(255), 'none');
  read.allOrNone('OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET');
  return issuer === null || clientId === null ? null : { issuer, clientId };
}

function readSmtp(read: VariableReader) {
  const port = read.optional('SMTP_PORT', CHECKING, remotePort, '25');
  const allowPrivateNetworks = read.optional('SMTP_ALLOW_PRIVATE_NETWORKS', [...CHECKING, 'cli'], truth, 'false');
  return {
    port,
    /** Laboratories only: allows connections to private addresses (decisions 6.2). */
    allowPrivateNetworks,
    /** HELO name where `SMTP_EGRESS` has none. */
    heloName: read.nullable('SMTP_HELO_NAME', CHECKING, heloName, 'host name') ?? defaultHeloName(hostname()),
    /** Envelope sender, without angle brackets; null: `verify@` the HELO name of the egress. */
    mailFrom: read.nullable('SMTP_MAIL_FROM', CHECKING, envelopeSender, 'verify@<helo name>'),
    connectTimeoutMs: read.optional('SMTP_CONNECT_TIMEOUT_MS', CHECKING, milliseconds(1), '5000'),
    greetingTimeoutMs: read.optional('SMTP_GREETING_TIMEOUT_MS', CHECKING, milliseconds(1), '40000'),
    commandTimeoutMs: read.optional('SMTP_COMMAND_TIMEOUT_MS', CHECKING, milliseconds(1), '15000'),
    /** Concurrent connections to a group of mail hosts outside the provider table; null: the default. */
    maxConnections: read.nullable('SMTP_MAX_CONNECTIONS', CHECKING, wholeNumber(1, 1000), '2, in laboratories 20'),
    /** The same for recipients per minute. */
    recipientsPerMinute: read.nullable(
      'SMTP_RECIPIENTS_PER_MINUTE',
      CHECKING,
      wholeNumber(1, 60_000),
      '60, in laboratories 60000',
    ),
    /** Domains whose mail hosts are contacted to test the port; empty: none. */
    checkDomains:
      read.nullable('SMTP_CHECK_DOMAINS', CHECKING, domains, 'three big ones, in laboratories none') ??
      // Another port means a laboratory.
      (allowPrivateNetworks || port !== 25 ? [] : ['gmail.com', 'outlook.com', 'yahoo.com']),
  } as const;
}
