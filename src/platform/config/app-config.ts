import type { DnsServer } from '../../engine/dns/dns-servers.js';
import type { QueueName } from './queue-names.js';
import type { LogLevel } from './log-level.js';

/** What a process was told by its environment, without secrets: may be logged. An injection token by itself. */
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
  abstract readonly keys: KeyConfig;
  abstract readonly rateLimit: RateLimitConfig;
  abstract readonly billing: BillingConfig;
  abstract readonly logging: LoggingConfig;
  /** Null: no tracing. */
  abstract readonly tracing: TracingConfig | null;
  abstract readonly shutdown: ShutdownConfig;
}

/** `cli`: commands that manage rows. What needs no database is loaded with `loadEngineConfig`. */
export type Role = 'api' | 'worker' | 'cli';

export interface HttpConfig {
  readonly host: string;
  /** The port this process listens on: `PORT` of the API, `WORKER_PORT` of the worker. 0: any free one. */
  readonly port: number;
  /** Addresses and networks of the balancers whose `X-Forwarded-For` is believed. Empty: nobody's. */
  readonly trustedProxies: readonly string[];
}

export interface MetricsConfig {
  /** Where the API shows its metrics; null: nowhere. The worker shows its own on its one port. */
  readonly port: number | null;
}

export interface DnsConfig {
  /** Empty: those of the machine (resolv.conf). */
  readonly servers: readonly DnsServer[];
  /** One query to one server. */
  readonly timeoutMs: number;
}

export interface SmtpConfig {
  readonly port: number;
  /** Our name where `SMTP_EGRESS` names none. */
  readonly heloName: string;
  /** Envelope sender, without angle brackets; null: `verify@` the HELO name of the egress. */
  readonly mailFrom: string | null;
  readonly connectTimeoutMs: number;
  readonly greetingTimeoutMs: number;
  readonly commandTimeoutMs: number;
  /** Laboratories only: lifts the rule that no private address is connected to (decisions 6.2). */
  readonly allowPrivateNetworks: boolean;
  /** Connections at once to a group of mail hosts that is not in the provider table; null: the usual number. */
  readonly maxConnections: number | null;
  /** The same of recipients. */
  readonly recipientsPerMinute: number | null;
  /** Domains whose mail hosts tell whether the port is open; empty: nobody is asked. */
  readonly checkDomains: readonly string[];
}

export interface VerifyConfig {
  /** Whole budget of a `single` call. */
  readonly deadlineMs: number;
}

export interface ProbesConfig {
  /** Whole budget of a check in the worker. */
  readonly deadlineMs: number;
  /** Until the retry of a greylisted address whose host names no delay; 0: no retry. */
  readonly greylistRetryMs: number;
  /** False: the API leaves every probe to the worker. */
  readonly inApi: boolean;
}

export interface CrawlConfig {
  /** Where policy files are fetched from. */
  readonly httpsPort: number;
}

export interface GuardConfig {
  /** By when a guard's remote decision is answered, from the moment its request came in. */
  readonly deadlineMs: number;
}

export interface WorkerConfig {
  /** What this process works on. */
  readonly queues: readonly QueueName[];
  /** Probes at once. */
  readonly concurrency: number;
}

export interface KeyConfig {
  /** `mv` in `mv_live_…`. */
  readonly prefix: string;
}

export interface RateLimitConfig {
  /** Unknown keys a minute that are answered 401 to one client address, before it is 429 (decisions 3.5). */
  readonly authFailuresPerMinute: number;
  /** How long requests are let through on this process's own count while Redis is down (decisions 3.4). */
  readonly failOpenMs: number;
}

export interface BillingConfig {
  /** How long the answer of a call with an `Idempotency-Key` is kept (decisions 1.7). */
  readonly answerHours: number;
}

export interface LoggingConfig {
  readonly level: LogLevel;
}

/** What the SDK is not told by the environment itself. */
export interface TracingConfig {
  readonly exporter: 'otlp' | 'console';
  /** Where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` name none. */
  readonly serviceName: string;
}

export interface ShutdownConfig {
  /** How long the API serves on after SIGTERM, so that balancers notice. */
  readonly delayMs: number;
  /** How long what is in flight may take after that. */
  readonly graceMs: number;
}
