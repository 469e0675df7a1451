import { context, SpanStatusCode, trace, TraceFlags, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, ConsoleSpanExporter, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { FastifyInstance } from 'fastify';
import type { Resolver } from '../../../engine/dns/resolver.js';
import type { BulkProber } from '../../../engine/smtp/bulk/bulk-prober.js';
import type { Prober } from '../../../engine/smtp/prober.js';
import { withinDeadline } from '../../scheduling/within-deadline.js';
import type { TracingConfig } from '../../config/load-tracing.js';
import { newId } from '../../ids/uuid.js';
import type { QueueName } from '../../config/queue-names.js';
import {
  setTracing,
  type Carried,
  type Checks,
  type ConnectionSource,
  type PoolMaker,
  type RunSpan,
  type Tracing,
} from '../tracing.js';
import { installHttpSpans } from './http-spans.js';
import { MysqlSpans } from './mysql-spans.js';
import { QueueSpans } from './queue-spans.js';
import { inSpan } from './recording.js';
import { tracedBulkProber, tracedChecks, tracedProber } from './traced-engine.js';
import { TracedResolver } from './traced-resolver.js';
import { WatchedExporter } from './watched-exporter.js';

/** Tracing with OpenTelemetry's SDK, which reads its other settings from the environment. */
export class OtelTracing implements Tracing {
  private readonly tracer: Tracer;
  private readonly mysql: MysqlSpans;
  private readonly queues: QueueSpans;

  private constructor(private readonly provider: NodeTracerProvider) {
    this.tracer = provider.getTracer('mailvet');
    this.mysql = new MysqlSpans(this.tracer);
    this.queues = new QueueSpans(this.tracer);
  }

  static start({ exporter, serviceName }: TracingConfig): OtelTracing {
    const spans = new WatchedExporter(exporter === 'otlp' ? new OTLPTraceExporter() : new ConsoleSpanExporter());
    const own = resourceFromAttributes({ 'service.name': serviceName, 'service.instance.id': newId() });
    const provider = new NodeTracerProvider({
      resource: defaultResource()
        .merge(own)
        .merge(detectResources({ detectors: [envDetector] })),
      spanProcessors: [new BatchSpanProcessor(spans)],
    });
    // No propagator: one place reads incoming trace context, and none is sent out.
    provider.register({ propagator: null });
    return new OtelTracing(provider);
  }

  serve(instance: FastifyInstance): void {
    installHttpSpans(instance, this.tracer);
  }

  engine(inner: Checks): Checks {
    return tracedChecks(inner, this.tracer);
  }

  resolver(inner: Resolver): Resolver {
    return new TracedResolver(inner, this.tracer);
  }

  prober(inner: Prober): Prober {
    return tracedProber(inner, this.tracer);
  }

  bulkProber(inner: BulkProber): BulkProber {
    return tracedBulkProber(inner, this.tracer);
  }

  driver<O, P extends ConnectionSource>(inner: PoolMaker<O, P>): PoolMaker<O, P> {
    return this.mysql.driver(inner);
  }

  packet<T>(statements: number, send: () => Promise<T>): Promise<T> {
    return this.mysql.packet(statements, send);
  }

  carry(queue: QueueName, jobs: number): Carried | undefined {
    return this.queues.carry(queue, jobs);
  }

  run(queue: QueueName, data: unknown): RunSpan {
    return this.queues.run(queue, data);
  }

  step<A extends unknown[], R>(name: string, work: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
    return (...args) =>
      inSpan(this.tracer, { name }, async (span) => {
        try {
          return await work(...args);
        } catch (error) {
          span?.setAttribute('error.type', error instanceof Error ? error.name : 'error');
          span?.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        }
      });
  }

  logFields(): Readonly<Record<string, string>> {
    const of = trace.getSpan(context.active())?.spanContext();
    if (of === undefined || (of.traceFlags & TraceFlags.SAMPLED) === 0) return {};
    return { trace_id: of.traceId, span_id: of.spanId };
  }

  async stop(ms: number): Promise<void> {
    setTracing(null);
    await withinDeadline(this.provider.shutdown(), ms).catch(() => undefined);
    trace.disable();
    context.disable();
  }
}
