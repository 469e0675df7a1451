import type { FastifyInstance } from 'fastify';
import type { Resolver } from '../../engine/dns/resolver.js';
import type { VerificationEngine } from '../../engine/engine.js';
import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober } from '../../engine/smtp/prober.js';
import type { QueueName } from '../config/queue-names.js';

/**
 * Tracing of a process, as those see it who are traced: each is wrapped once, where it is wired, and knows nothing of it.
 * Where tracing is off there is none, nothing is wrapped, and no module of OpenTelemetry is loaded.
 */
export interface Tracing {
  /** A span for each request to a route that is not public; to be called before other hooks are added. */
  serve(instance: FastifyInstance): void;
  engine(inner: Checks): Checks;
  resolver(inner: Resolver): Resolver;
  prober(inner: Prober): Prober;
  bulkProber(inner: BulkProber): BulkProber;
  /** A span for each statement of TypeORM that work under a span asks for. */
  driver<O, P extends ConnectionSource>(inner: PoolMaker<O, P>): PoolMaker<O, P>;
  /** For statements that go out in one packet. */
  packet<T>(statements: number, send: () => Promise<T>): Promise<T>;
  /** What is added to the data of jobs that are put on a queue together; undefined when nobody traces them. */
  carry(queue: QueueName, jobs: number): Carried | undefined;
  /** The span of one run of a job, in the trace that its data names. */
  run(queue: QueueName, data: unknown): RunSpan;
  /** A span around each call. */
  step<A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>): (...args: A) => Promise<R>;
  /** What a log line says of the span it is written in. */
  logFields(): Readonly<Record<string, string>>;
  /** Sends what is left, as far as that takes no longer than `ms`. Never rejects. */
  stop(ms: number): Promise<void>;
}

export type Checks = Pick<VerificationEngine, 'check'>;

/** The driver of a database, as far as it matters here. */
export interface PoolMaker<O, P extends ConnectionSource> {
  createPool(options: O): P;
}

export interface ConnectionSource {
  on(event: 'connection', listener: (connection: AskedConnection) => void): unknown;
}

/** A connection that is asked by `query(sql, values?, callback)` and `execute`. */
export interface AskedConnection {
  // oxlint-disable-next-line typescript/no-explicit-any -- overloads of a driver
  query: (...args: any[]) => any;
  // oxlint-disable-next-line typescript/no-explicit-any -- overloads of a driver
  execute: (...args: any[]) => any;
}

/**
 * Where a job's data names the span that put it there (W3C Trace Context): as its parent, or where many were put there at once,
 * as the other end of a link.
 */
export type Carried = { readonly traceparent: string } | { readonly tracelink: string };

export interface RunSpan {
  within<T>(work: () => T): T;
  end(outcome: string): void;
}

let running: Tracing | null = null;

/** The tracing of this process; null while it is off. */
export function tracing(): Tracing | null {
  return running;
}

/** Before anything is wired: what is wired already stays as it is. */
export function setTracing(started: Tracing | null): void {
  running = started;
}

/** `work` with a span around each call where tracing is on; `work` itself where it is off. */
export function tracedStep<A extends unknown[], R>(
  name: string,
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return running === null ? work : running.step(name, work);
}
