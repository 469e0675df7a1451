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

/** Spans of jobs on both sides of a queue. They omit job ids, which are made of address hashes and domains. */
export class QueueSpans {
  constructor(private readonly tracer: Tracer) {}

  /**
   * A single job joins the trace of its producer. Many jobs at once would flood it: they begin their own traces and
   * link to it.
   */
  carry(queue: QueueName, jobs: number): Carried | undefined {
    if (openSpan() === undefined) return undefined;
    const span = this.tracer.startSpan(`send ${queue}`, {
      kind: SpanKind.PRODUCER,
      attributes: { ...destination(queue, 'send'), ...(jobs > 1 && { 'messaging.batch.message_count': jobs }) },
    });
    // They are sent in the background, together with others.
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

/** Redis may contain anything. */
function origin(data: unknown): { readonly parent: Context; readonly links: Link[] } {
  const { traceparent, tracelink } = (data ?? {}) as { readonly traceparent?: unknown; readonly tracelink?: unknown };
  const parent = parseTraceParent(traceparent);
  const linked = parseTraceParent(tracelink);
  return {
    parent: parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent),
    links: linked === undefined ? [] : [{ context: linked }],
  };
}
