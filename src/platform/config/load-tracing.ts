import type { Role, TracingConfig } from './app-config.js';
import { tracingEnvironment } from './tracing-environment.js';

export interface LoadedTracing {
  /** Null: no tracing. */
  readonly tracing: TracingConfig | null;
  readonly faults: readonly (readonly [string, string])[];
}

type Env = Readonly<Record<string, string | undefined>>;

const OFF: LoadedTracing = { tracing: null, faults: [] };
const { shape } = tracingEnvironment;

/**
 * Reads the tracing settings. With tracing off, the other variables are not checked: clusters set them for every
 * process.
 */
export function loadTracing(role: Role, env: Env): LoadedTracing {
  if (role === 'cli' || shape.OTEL_SDK_DISABLED.parse(env['OTEL_SDK_DISABLED'])) return OFF;
  const named = env['OTEL_TRACES_EXPORTER'];
  const hasEndpoint = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  if (named ? named === 'none' : !hasEndpoint) return OFF;

  const names = Object.keys(shape);
  const outcome = tracingEnvironment.safeParse(Object.fromEntries(names.map((name) => [name, env[name]])));
  if (!outcome.success) {
    const faults = outcome.error.issues.map(({ path, message }) => [String(path[0]), message] as const);
    return { tracing: null, faults };
  }
  const read = outcome.data;
  if (read.OTEL_BSP_MAX_EXPORT_BATCH_SIZE > read.OTEL_BSP_MAX_QUEUE_SIZE) {
    return { tracing: null, faults: [['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'must not be above OTEL_BSP_MAX_QUEUE_SIZE']] };
  }
  const exporter = read.OTEL_TRACES_EXPORTER === 'console' ? 'console' : 'otlp';
  return { tracing: { exporter, serviceName: `mailvet-${role}` }, faults: [] };
}
