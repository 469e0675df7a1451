import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Tracer,
} from '@opentelemetry/api';
import type { QueueName } from '../../config/queue-names.js';
import type { Carried, RunSpan } from '../tracing.js';
import { openSpan } from './recording.js';
import { parseTraceParent, toTraceParent } from './trace-parent.js';

/** Spans of jobs on both sides of a queue. Ids of jobs are made of addresses' hashes and domains: they stay out. */
export class QueueSpans {
  constructor(private readonly tracer: Tracer) {}

  /** One job belongs to the trace of who asked for it. Many at once would drown it: they begin their own, and link to it. */
  carry(queue: QueueName, jobs: number): Carried | undefined {
    if (openSpan() === undefined) return undefined;
    const span = this.tracer.startSpan(`send ${queue}`, {
      kind: SpanKind.PRODUCER,
      attributes: { ...destination(queue, 'send'), ...(jobs > 1 && { 'messaging.batch.message_count': jobs }) },
    });
    // They are sent in the background, with those of others.
    span.end();
    const traceparent = toTraceParent(span.spanContext());
    return jobs > 1 ? { tracelink: traceparent } : { traceparent };
  }

  run(queue: QueueName, data: unknown): RunSpan {
    const { parent, links } = origin(data);
    const span = this.tracer.startSpan(
      `process ${queue}`,
      { kind: SpanKind.CONSUMER, attributes: destination(queue, 'process'), links },
      parent,
    );
    const own = trace.setSpan(ROOT_CONTEXT, span);
    return {
      within: (work) => context.with(own, work),
      end: (outcome) => {
        span.setAttribute('mailvet.job.outcome', outcome);
        if (outcome === 'failed' || outcome === 'poison') {
          span.setAttribute('error.type', outcome).setStatus({ code: SpanStatusCode.ERROR });
        }
        span.end();
      },
    };
  }
}

function destination(queue: QueueName, operation: 'send' | 'process'): Attributes {
  return {
    'messaging.system': 'bullmq',
    'messaging.destination.name': queue,
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
  };
}

/** What stands in Redis may be anything. */
function origin(data: unknown): { readonly parent: Context; readonly links: Link[] } {
  const { traceparent, tracelink } = (data ?? {}) as { readonly traceparent?: unknown; readonly tracelink?: unknown };
  const parent = parseTraceParent(traceparent);
  const linked = parseTraceParent(tracelink);
  return {
    parent: parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    links: linked === undefined ? [] : [{ context: linked }],
  };
}
