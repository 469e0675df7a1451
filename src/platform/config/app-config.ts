import type { DnsServer } from '../../engine/dns/dns-servers.js';
import type { QueueName } from './queue-names.js';
import type { LogLevel } from './log-level.js';

/** Configuration of a process, without secrets: may be logged. Also the injection token. */
export abstract class AppConfig {
  abstract readonly role: Role;
  abstract readonly http: HttpConfig;
  abstract readonly metrics: MetricsConfig;
  abstract readonly dns: DnsConfig;
  abstract readonly smtp: SmtpConfig;
  abstract readonly verify: VerifyConfig;
  abstract readonly probes: ProbesConfig;
  abstract readonly crawl: CrawlConfig;
  abstract readonly guard: GuardConfig;
  abstract readonly worker: WorkerConfig;
  abstract readonly console: ConsoleConfig;
  abstract readonly keys: KeyConfig;
  abstract readonly rateLimit: RateLimitConfig;
  abstract readonly billing: BillingConfig;
  abstract readonly logging: LoggingConfig;
  /** Null: no tracing. */
  abstract readonly tracing: TracingConfig | null;
  abstract readonly shutdown: ShutdownConfig;
}

/** `cli`: commands that manage rows. Commands that need no database use `loadEngineConfig`. */
export type Role = 'api' | 'worker' | 'console' | 'cli';

export interface HttpConfig {
  readonly host: string;
  /** The port to listen on: `PORT`, `WORKER_PORT` or `CONSOLE_PORT`. 0: any free one. */
  readonly port: number;
  /** Addresses and networks of balancers whose `X-Forwarded-For` is trusted. Empty: none. */
  readonly trustedProxies: readonly string[];
}

export interface MetricsConfig {
  /** The metrics port of the API or the console; null: no metrics. The worker shows metrics on its only port. */
  readonly port: number | null;
}

export interface DnsConfig {
  /** Empty: the machine's own (resolv.conf). */
  readonly servers: readonly DnsServer[];
  /** For one query to one server. */
  readonly timeoutMs: number;
}

export interface SmtpConfig {
  readonly port: number;
  /** HELO name where `SMTP_EGRESS` has none. */
  readonly heloName: string;
  /** Envelope sender, without angle brackets; null: `verify@` the HELO name of the egress. */
  readonly mailFrom: string | null;
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
  /** Laboratories only: allows connections to private addresses (decisions 6.2). */
  readonly allowPrivateNetworks: boolean;
  /** Concurrent connections to a group of mail hosts outside the provider table; null: the default. */
  readonly maxConnections: number | null;
  /** The same for recipients per minute. */
  readonly recipientsPerMinute: number | null;
  /** Domains whose mail hosts are contacted to test the port; empty: none. */
  readonly checkDomains: readonly string[];
}

export interface VerifyConfig {
  /** Time limit of a `single` call. */
  readonly deadlineMs: number;
}

export interface ProbesConfig {
  /** Time limit of a check in the worker. */
  readonly deadlineMs: number;
  /** Delay before the retry of a greylisted address whose host names none; 0: no retry. */
  readonly greylistRetryMs: number;
  /** False: the API leaves every probe to the worker. */
  readonly inApi: boolean;
}

export interface CrawlConfig {
  /** Port to fetch policy files from. */
  readonly httpsPort: number;
}

export interface GuardConfig {
  /** Time limit of a guard's remote decision, from the arrival of its request. */
  readonly deadlineMs: number;
}

export interface WorkerConfig {
  /** Queues that this process serves. */
  readonly queues: readonly QueueName[];
  /** Concurrent probes. */
  readonly concurrency: number;
}

export interface ConsoleConfig {
  /** The console's public origin; null: names of the loopback interface, over http. */
  readonly origin: string | null;
  /** The API's public address, without a final slash. */
  readonly publicUrl: string;
  /** Where the console sends people who want credits; null: nowhere. */
  readonly topupUrl: string | null;
  /** Sign-in by OpenID Connect; null: off. */
  readonly oidc: OidcConfig | null;
}

export interface OidcConfig {
  readonly issuer: string;
  readonly clientId: string;
}

export interface KeyConfig {
  /** `mv` in `mv_live_…`. */
  readonly prefix: string;
}

export interface RateLimitConfig {
  /** Unknown keys per minute and client address that are answered 401; then 429 (decisions 3.5). */
  readonly authFailuresPerMinute: number;
  /** How long requests are limited by this process's own count while Redis is down (decisions 3.4). */
  readonly failOpenMs: number;
}

export interface BillingConfig {
  /** How long the answer to a call with an `Idempotency-Key` is kept (decisions 1.7). */
  readonly answerHours: number;
}

export interface LoggingConfig {
  readonly level: LogLevel;
}

/** Settings that the SDK does not read from the environment itself. */
export interface TracingConfig {
  readonly exporter: 'otlp' | 'console';
  /** Service name where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have none. */
  readonly serviceName: string;
}

export interface ShutdownConfig {
  /** How long the API serves on after SIGTERM, so that balancers notice. */
  readonly delayMs: number;
  /** How long requests and jobs in flight may take after that. */
  readonly graceMs: number;
}
