import { TraceFlags, type SpanContext } from '@opentelemetry/api';

const TRACE_PARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** W3C Trace Context, `traceparent`, version 00 only. Undefined for anything else. */
export function parseTraceParent(text: unknown): SpanContext | undefined {
  if (typeof text !== 'string' || text.length !== 55) return undefined;
  const [, traceId, spanId, flags] = TRACE_PARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true };
}

export function toTraceParent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
}
