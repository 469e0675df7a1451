import { hostname } from 'node:os';
import type { z } from 'zod';
import { DEVELOPMENT_ADDRESS_KEY } from './address-keys.js';
import type { AppConfig, OidcConfig, Role } from './app-config.js';
import type { AppSecrets } from './app-secrets.js';
import { ConfigFault } from './config-fault.js';
import { defaultHeloName } from './default-helo-name.js';
import { environment, type Environment, type VariableName } from './environment.js';
import { loadTracing } from './load-tracing.js';

/** Two objects: configuration may be logged, secrets go only to code that connects. */
export interface Settings {
  readonly config: AppConfig;
  readonly secrets: AppSecrets;
}

/** Settings of a check from the command line: no database, no Redis. */
export interface EngineSettings {
  readonly config: Pick<AppConfig, 'dns' | 'smtp' | 'verify'>;
  readonly secrets: Pick<AppSecrets, 'smtpEgress'>;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Variables of the engine, for every process that runs checks. */
export const ENGINE_VARIABLES = [
  'DNS_SERVERS',
  'DNS_TIMEOUT_MS',
  'SMTP_PORT',
  'SMTP_HELO_NAME',
  'SMTP_MAIL_FROM',
  'SMTP_CONNECT_TIMEOUT_MS',
  'SMTP_GREETING_TIMEOUT_MS',
  'SMTP_COMMAND_TIMEOUT_MS',
  'SMTP_EGRESS',
  'SMTP_ALLOW_PRIVATE_NETWORKS',
  'SMTP_CHECK_DOMAINS',
  'VERIFY_DEADLINE_MS',
] as const satisfies VariableName[];
/** Variables of long-running processes that run checks. */
const PROBING_VARIABLES = [
  'SMTP_MAX_CONNECTIONS',
  'SMTP_RECIPIENTS_PER_MINUTE',
  'GREYLIST_RETRY_MS',
] as const satisfies VariableName[];
const PROCESS_VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'HOST',
  'ADDRESS_HASH_SECRET',
  'NODE_ENV',
  'LOG_LEVEL',
  'SHUTDOWN_GRACE_MS',
] as const satisfies VariableName[];

/** Variables of each role: a variable of another role cannot stop it from starting. */
export const READ_BY: Record<Role, readonly VariableName[]> = {
  api: [
    ...PROCESS_VARIABLES,
    ...ENGINE_VARIABLES,
    ...PROBING_VARIABLES,
    'PORT',
    'METRICS_PORT',
    'METRICS_TOKEN',
    'TRUST_PROXY',
    'AUTH_FAILURES_PER_MINUTE',
    'KEY_PREFIX',
    'RATE_LIMIT_FAIL_OPEN_MS',
    'IDEMPOTENCY_TTL_HOURS',
    'SHUTDOWN_DELAY_MS',
    'PROBE_IN_API',
    'GUARD_DEADLINE_MS',
  ],
  worker: [
    ...PROCESS_VARIABLES,
    ...ENGINE_VARIABLES,
    ...PROBING_VARIABLES,
    'WORKER_PORT',
    'WORKER_QUEUES',
    'WORKER_CONCURRENCY',
    'METRICS_TOKEN',
    'PROBE_DEADLINE_MS',
    'DNSBL_ZONES',
    'LIST_URLS',
    'HTTPS_PORT',
  ],
  console: [
    ...PROCESS_VARIABLES.filter((name) => name !== 'HOST'),
    ...ENGINE_VARIABLES,
    ...PROBING_VARIABLES,
    'PORT',
    'CONSOLE_PORT',
    'CONSOLE_HOST',
    'CONSOLE_METRICS_PORT',
    'CONSOLE_ORIGIN',
    'CONSOLE_TOPUP_URL',
    'PUBLIC_URL',
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'METRICS_TOKEN',
    'TRUST_PROXY',
    'KEY_PREFIX',
    'RATE_LIMIT_FAIL_OPEN_MS',
    'IDEMPOTENCY_TTL_HOURS',
    'SHUTDOWN_DELAY_MS',
  ],
  cli: [
    'DATABASE_URL',
    'REDIS_URL',
    'CONSOLE_PORT',
    'CONSOLE_ORIGIN',
    'LIST_URLS',
    'ADDRESS_HASH_SECRET',
    'NODE_ENV',
    'KEY_PREFIX',
  ],
};

/**
 * Reads and checks a role's whole environment.
 * @throws ConfigFault with one line per fault.
 */
export function loadConfig(role: Role, env: Env = process.env): Settings {
  const { tracing, faults } = loadTracing(role, env);
  const read = parse(environment, READ_BY[role], env, [
    ...missingInProduction(env),
    ...(role === 'console' ? halfAnOidcClient(env) : []),
    ...faults,
  ]);
  return {
    config: {
      role,
      http: { ...listenerOf(role, read), trustedProxies: read.TRUST_PROXY ?? [] },
      metrics: { port: (role === 'console' ? read.CONSOLE_METRICS_PORT : read.METRICS_PORT) || null },
      ...engineConfig(read),
      probes: {
        deadlineMs: read.PROBE_DEADLINE_MS,
        greylistRetryMs: read.GREYLIST_RETRY_MS,
        // The console leaves every probe to the worker.
        inApi: role !== 'console' && read.PROBE_IN_API,
      },
      crawl: { httpsPort: read.HTTPS_PORT },
      guard: { deadlineMs: read.GUARD_DEADLINE_MS },
      worker: { queues: read.WORKER_QUEUES, concurrency: read.WORKER_CONCURRENCY },
      console: {
        origin: read.CONSOLE_ORIGIN,
        publicUrl: read.PUBLIC_URL ?? `http://127.0.0.1:${read.PORT}`,
        topupUrl: read.CONSOLE_TOPUP_URL,
        oidc: oidcOf(read),
      },
      keys: { prefix: read.KEY_PREFIX },
      rateLimit: {
        authFailuresPerMinute: read.AUTH_FAILURES_PER_MINUTE,
        failOpenMs: read.RATE_LIMIT_FAIL_OPEN_MS,
      },
      billing: { answerHours: read.IDEMPOTENCY_TTL_HOURS },
      logging: { level: read.LOG_LEVEL },
      tracing,
      shutdown: { delayMs: read.SHUTDOWN_DELAY_MS, graceMs: read.SHUTDOWN_GRACE_MS },
    },
    secrets: {
      database: read.DATABASE_URL,
      redisUrl: read.REDIS_URL,
      smtpEgress: read.SMTP_EGRESS ?? [],
      metricsToken: read.METRICS_TOKEN,
      dnsblZones: read.DNSBL_ZONES ?? [],
      listUrls: read.LIST_URLS ?? [],
      oidcClientSecret: read.OIDC_CLIENT_SECRET,
      addressKeys: read.ADDRESS_HASH_SECRET ?? [DEVELOPMENT_ADDRESS_KEY],
    },
  };
}

function listenerOf(role: Role, read: Environment): { readonly host: string; readonly port: number } {
  if (role === 'console') return { host: read.CONSOLE_HOST, port: read.CONSOLE_PORT };
  return { host: read.HOST, port: role === 'worker' ? read.WORKER_PORT : read.PORT };
}

function oidcOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId }: Environment): OidcConfig | null {
  return issuer === null || clientId === null ? null : { issuer, clientId };
}

/**
 * Reads only the engine's variables.
 * @throws ConfigFault with one line per fault.
 */
export function loadEngineConfig(env: Env = process.env): EngineSettings {
  const read = parse(environment.omit({ DATABASE_URL: true }), ENGINE_VARIABLES, env);
  return { config: engineConfig(read), secrets: { smtpEgress: read.SMTP_EGRESS ?? [] } };
}

/** True when a database is configured for a command that needs none. */
export function namesDatabase({ DATABASE_URL = '' }: Env = process.env): boolean {
  return DATABASE_URL !== '';
}

type Faults = readonly (readonly [string, string])[];

/** The development key is public: production must not fall back to it unnoticed. */
function missingInProduction({ NODE_ENV, ADDRESS_HASH_SECRET = '' }: Env): Faults {
  if (NODE_ENV !== 'production' || ADDRESS_HASH_SECRET !== '') return [];
  return [['ADDRESS_HASH_SECRET', 'is required where NODE_ENV is production, as id:key (1 to 255, 16 characters)']];
}

const OIDC_VARIABLES = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;

/** A client of OpenID Connect has all three. */
function halfAnOidcClient(env: Env): Faults {
  const missing = OIDC_VARIABLES.filter((name) => !env[name]);
  if (missing.length === 0 || missing.length === OIDC_VARIABLES.length) return [];
  return missing.map((name) => [name, `is required where another of ${OIDC_VARIABLES.join(', ')} is set`]);
}

/**
 * Gives variables outside `names` their defaults, whatever the environment says.
 * @param faults found already
 */
function parse<T extends z.ZodType>(
  schema: T,
  names: readonly VariableName[],
  env: Env,
  faults: Faults = [],
): z.output<T> {
  const outcome = schema.safeParse(Object.fromEntries(names.map((name) => [name, env[name]])));
  if (outcome.success && faults.length === 0) return outcome.data;
  const issues = outcome.error?.issues ?? [];
  const byVariable = new Map([...issues.map(({ path, message }) => [String(path[0]), message] as const), ...faults]);
  throw new ConfigFault([...byVariable].map(([name, message]) => `${name}: ${message}`));
}

function engineConfig(read: Omit<Environment, 'DATABASE_URL'>): EngineSettings['config'] {
  return {
    dns: { servers: read.DNS_SERVERS ?? [], timeoutMs: read.DNS_TIMEOUT_MS },
    smtp: {
      port: read.SMTP_PORT,
      heloName: read.SMTP_HELO_NAME ?? defaultHeloName(hostname()),
      mailFrom: read.SMTP_MAIL_FROM,
      connectTimeoutMs: read.SMTP_CONNECT_TIMEOUT_MS,
      greetingTimeoutMs: read.SMTP_GREETING_TIMEOUT_MS,
      commandTimeoutMs: read.SMTP_COMMAND_TIMEOUT_MS,
      allowPrivateNetworks: read.SMTP_ALLOW_PRIVATE_NETWORKS,
      maxConnections: read.SMTP_MAX_CONNECTIONS,
      recipientsPerMinute: read.SMTP_RECIPIENTS_PER_MINUTE,
      checkDomains: read.SMTP_CHECK_DOMAINS ?? usualCheckDomains(read),
    },
    verify: { deadlineMs: read.VERIFY_DEADLINE_MS },
  };
}

/** Domains of three highly available providers. None for another port, which means a laboratory. */
function usualCheckDomains(read: Omit<Environment, 'DATABASE_URL'>): readonly string[] {
  const laboratory = read.SMTP_ALLOW_PRIVATE_NETWORKS || read.SMTP_PORT !== 25;
  return laboratory ? [] : ['gmail.com', 'outlook.com', 'yahoo.com'];
}
