import { anyText, milliseconds, oneOf, rule, wholeNumber, type Rule } from './rules.js';
import { VariableReader, type Env, type Role } from './variable-reader.js';

/** Settings that the SDK does not read from the environment itself. */
export interface TracingConfig {
  readonly exporter: 'otlp' | 'console';
  /** Service name where `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have none. */
  readonly serviceName: string;
}

interface LoadedTracing {
  /** Null: no tracing. */
  readonly tracing: TracingConfig | null;
  /** Variables with the rules that they break. */
  readonly faults: readonly (readonly [string, string])[];
}

/**
 * Reads the tracing settings. With tracing off, the other variables are not checked: clusters set them for every
 * process.
 */
export function loadTracing(role: Role, env: Env): LoadedTracing {
  const read = new VariableReader(role, env);
  const { disabled, exporter, maxBatch, maxQueue } = readTracing(read);
  const named = env['OTEL_TRACES_EXPORTER'];
  const hasEndpoint = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
  const off = role === 'cli' || disabled || (named ? named === 'none' : !hasEndpoint);
  if (off) return { tracing: null, faults: [] };
  if (maxBatch > maxQueue) {
    read.faults.set('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 'must not be above OTEL_BSP_MAX_QUEUE_SIZE');
  }
  return {
    tracing: { exporter: exporter === 'console' ? 'console' : 'otlp', serviceName: `mailvet-${role}` },
    faults: [...read.faults],
  };
}

const SERVERS = ['api', 'worker', 'console'] as const;
// Per the standard, any other text means false.
const isTrue = (text: string): boolean => text.trim().toLowerCase() === 'true';
const url = rule('must be an http:// or https:// URL', (text) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null,
);
const pairs = rule('must be a comma list of name=value', (text) =>
  text.split(',').every((pair) => /^\s*[^=\s]+\s*=/.test(pair)) ? text : null,
);
const exporters = oneOf(['otlp', 'console', 'none']);
const sampler = oneOf([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]);
const protocol = oneOf(['http/protobuf']);
const compression = oneOf(['none', 'gzip']);
const share = rule('must be a number from 0 to 1', (text) =>
  /^(0|1|0?\.\d{1,9}|1\.0+|0\.0+)$/.test(text) ? Number(text) : null,
);
const size = wholeNumber(1, 100_000);
const time = milliseconds(1);

/**
 * The OpenTelemetry variables that we support, by their standard names. The SDK reads most of them itself; they are read
 * here to be checked, since the SDK silently falls back to defaults. A contract test compares docs/tracing.md with them.
 */
export function readTracing(read: VariableReader) {
  const optional = <T>(name: string, check: Rule<T>, byDefault: string) =>
    read.optional(name, SERVERS, check, byDefault);
  const nullable = <T>(name: string, check: Rule<T>, byDefault: string) =>
    read.nullable(name, SERVERS, check, byDefault);

  const disabled = optional('OTEL_SDK_DISABLED', isTrue, 'false');
  const exporter = nullable('OTEL_TRACES_EXPORTER', exporters, 'otlp where an endpoint is set, else none');
  nullable('OTEL_EXPORTER_OTLP_ENDPOINT', url, 'http://localhost:4318');
  nullable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', url, 'v1/traces under the endpoint');
  optional('OTEL_EXPORTER_OTLP_PROTOCOL', protocol, 'http/protobuf');
  nullable('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', protocol, 'OTEL_EXPORTER_OTLP_PROTOCOL');
  nullable('OTEL_EXPORTER_OTLP_HEADERS', pairs, 'none');
  nullable('OTEL_EXPORTER_OTLP_TRACES_HEADERS', pairs, 'none');
  optional('OTEL_EXPORTER_OTLP_TIMEOUT', time, '10000');
  nullable('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', time, 'OTEL_EXPORTER_OTLP_TIMEOUT');
  optional('OTEL_EXPORTER_OTLP_COMPRESSION', compression, 'none');
  nullable('OTEL_EXPORTER_OTLP_TRACES_COMPRESSION', compression, 'OTEL_EXPORTER_OTLP_COMPRESSION');
  nullable('OTEL_SERVICE_NAME', anyText, 'mailvet-api, mailvet-worker, mailvet-console');
  nullable('OTEL_RESOURCE_ATTRIBUTES', pairs, 'none');
  optional('OTEL_TRACES_SAMPLER', sampler, 'parentbased_always_on');
  optional('OTEL_TRACES_SAMPLER_ARG', share, '1');
  optional('OTEL_BSP_SCHEDULE_DELAY', time, '5000');
  optional('OTEL_BSP_EXPORT_TIMEOUT', time, '30000');
  const maxQueue = optional('OTEL_BSP_MAX_QUEUE_SIZE', size, '2048');
  const maxBatch = optional('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', size, '512');
  return { disabled, exporter, maxQueue, maxBatch };
}
