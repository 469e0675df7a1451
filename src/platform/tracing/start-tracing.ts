import type { TracingConfig } from '../config/app-config.js';
import { setTracing } from './tracing.js';

/**
 * Turns tracing on where the environment asks for it. Only then is OpenTelemetry loaded.
 * To be called before modules are made: they are wrapped as they are wired.
 */
export async function startTracing(config: TracingConfig | null): Promise<void> {
  if (config === null) return;
  const { OtelTracing } = await import('./otel/otel-tracing.js');
  setTracing(OtelTracing.start(config));
}
