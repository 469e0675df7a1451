import { context, trace, TraceFlags, type Span, type SpanOptions, type Tracer } from '@opentelemetry/api';

/**
 * The span of the current work; undefined if there is none, or it is not sampled or has ended: shared work that a
 * request started must not continue under its span.
 */
export function recordingSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : undefined;
}

/** The same, including a span that is not sampled, whose children must not be sampled either. */
export function openSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  if (span === undefined || span.isRecording()) return span;
  const isOver = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
  return isOver ? undefined : span;
}

/** Does traced work within a span of its own, and other work without one. */
export async function inSpan<T>(
  tracer: Tracer,
  { name, ...options }: SpanOptions & { readonly name: string },
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  if (recordingSpan() === undefined) return work(null);
  const span = tracer.startSpan(name, options);
  try {
    return await context.with(trace.setSpan(context.active(), span), () => work(span));
  } finally {
    span.end();
  }
}
