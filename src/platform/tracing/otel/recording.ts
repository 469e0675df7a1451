import { trace, TraceFlags, type Span } from '@opentelemetry/api';

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
