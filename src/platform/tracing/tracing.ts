import type { FastifyInstance } from 'fastify';
import type { Resolver } from '../../engine/dns/resolver.js';
import type { VerificationEngine } from '../../engine/engine.js';
import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober } from '../../engine/smtp/prober.js';
import type { QueueName } from '../config/queue-names.js';

/**
 * The tracing interface that traced code sees: objects are wrapped once, when they are wired, and do not know of it.
 * If tracing is off, nothing is wrapped and no module of OpenTelemetry is loaded.
 */
export interface Tracing {
  /** Adds a span for each request to a route that is not public. Call it before other hooks are added. */
  serve(instance: FastifyInstance): void;
  engine(inner: Checks): Checks;
  resolver(inner: Resolver): Resolver;
  prober(inner: Prober): Prober;
  bulkProber(inner: BulkProber): BulkProber;
  /** Adds a span for each TypeORM statement of traced work. */
  driver<O, P extends ConnectionSource>(inner: PoolMaker<O, P>): PoolMaker<O, P>;
  /** A span for statements that are sent in one packet. */
  packet<T>(statements: number, send: () => Promise<T>): Promise<T>;
  /** Trace context for the data of jobs that are queued together; undefined without a current span. */
  carry(queue: QueueName, jobs: number): Carried | undefined;
  /** The span of one run of a job, in the trace that its data names. */
  run(queue: QueueName, data: unknown): RunSpan;
  /** Wraps each call in a span. */
  step<A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /** Log fields of the current span. */
  logFields(): Readonly<Record<string, string>>;
  /** Sends the remaining spans, for at most `ms`. Never rejects. */
  stop(ms: number): Promise<void>;
}

export type Checks = Pick<VerificationEngine, 'check'>;

/** The part of a database driver that tracing uses. */
export interface PoolMaker<O, P extends ConnectionSource> {
  createPool(options: O): P;
}

export interface ConnectionSource {
  on(event: 'connection', listener: (connection: AskedConnection) => void): unknown;
}

/** A connection with `query(sql, values?, callback)` and `execute`. */
export interface AskedConnection {
  // oxlint-disable-next-line typescript/no-explicit-any -- overloads of a driver
  query: (...args: any[]) => any;
  // oxlint-disable-next-line typescript/no-explicit-any -- overloads of a driver
  execute: (...args: any[]) => any;
}

/**
 * The producer's span in a job's data (W3C Trace Context): its parent, or, if many jobs were queued at once, the
 * target of a link.
 */
export type Carried = { readonly traceparent: string } | { readonly tracelink: string };

export interface RunSpan {
  within<T>(work: () => T): T;
  end(outcome: string): void;
}

let running: Tracing | null = null;

/** The tracing of this process; null if it is off. */
export function tracing(): Tracing | null {
  return running;
}

/** Call it before wiring: objects that are wired already stay unwrapped. */
export function setTracing(started: Tracing | null): void {
  running = started;
}

/** Returns `work` with a span around each call if tracing is on, else `work` itself. */
export function tracedStep<A extends unknown[], R>(
  name: string,
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return running === null ? work : running.step(name, work);
}
