import { trace, TraceFlags, type Span } from '@opentelemetry/api';

/**
 * The span that the work under way belongs to; undefined where it is none, is not sampled, or is over: a loop that a request
 * began and that others live on must not go on in its name.
 */
export function recordingSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : undefined;
}

/** The same, and one that is not sampled: what follows from it is not to be sampled either. */
export function openSpan(): Span | undefined {
  const span = trace.getActiveSpan();
  if (span === undefined || span.isRecording()) return span;
  const isOver = (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0;
  return isOver ? undefined : span;
}
