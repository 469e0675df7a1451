import type { TracingConfig } from '../config/load-tracing.js';
import { setTracing } from './tracing.js';

/**
 * Enables tracing if it is configured, and only then loads OpenTelemetry. Call it before modules are created: they are
 * wrapped when they are wired.
 */
export async function startTracing(config: TracingConfig | null): Promise<void> {
  if (config === null) return;
  const { OtelTracing } = await import('./otel/otel-tracing.js');
  setTracing(OtelTracing.start(config));
}
