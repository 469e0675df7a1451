import { z } from 'zod';
import { nullable, optional, rule, wholeNumber } from './variable.js';

const EXPORTERS = ['otlp', 'console', 'none'] as const;
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const oneOf = <T extends string>(words: readonly T[]) =>
  rule(`must be one of ${words.join(', ')}`, (text) => words.find((word) => word === text) ?? null);
const url = () =>
  rule('must be an http:// or https:// URL', (text) =>
    URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : null,
  );
const pairs = () =>
  rule('must be a comma list of name=value', (text) =>
    text.split(',').every((pair) => /^\s*[^=\s]+\s*=[^=]*/.test(pair)) ? text : null,
  );
const protocol = () => oneOf(['http/protobuf']);
const compression = () => oneOf(['none', 'gzip']);
const milliseconds = () => wholeNumber(1, 600_000);

/**
 * The OpenTelemetry variables that we support, by their standard names. The SDK reads most of them itself; they are
 * listed here to be checked, since the SDK silently falls back to defaults. A contract test compares docs/tracing.md
 * with this list.
 */
export const tracingEnvironment = z.object({
  // Per the standard, any other text means false.
  OTEL_SDK_DISABLED: optional(
    rule('', (text) => text.trim().toLowerCase() === 'true'),
    'false',
  ),
  OTEL_TRACES_EXPORTER: nullable(oneOf(EXPORTERS), 'otlp where an endpoint is set, else none'),
  OTEL_EXPORTER_OTLP_ENDPOINT: nullable(url(), 'http://localhost:4318'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: nullable(url(), 'v1/traces under the endpoint'),
  OTEL_EXPORTER_OTLP_PROTOCOL: optional(protocol(), 'http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: nullable(protocol(), 'OTEL_EXPORTER_OTLP_PROTOCOL'),
  OTEL_EXPORTER_OTLP_HEADERS: nullable(pairs(), 'none'),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: nullable(pairs(), 'none'),
  OTEL_EXPORTER_OTLP_TIMEOUT: optional(milliseconds(), '10000'),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: nullable(milliseconds(), 'OTEL_EXPORTER_OTLP_TIMEOUT'),
  OTEL_EXPORTER_OTLP_COMPRESSION: optional(compression(), 'none'),
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: nullable(compression(), 'OTEL_EXPORTER_OTLP_COMPRESSION'),
  OTEL_SERVICE_NAME: nullable(z.string(), 'mailvet-api, mailvet-worker'),
  OTEL_RESOURCE_ATTRIBUTES: nullable(pairs(), 'none'),
  OTEL_TRACES_SAMPLER: optional(oneOf(SAMPLERS), 'parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: optional(
    rule('must be a number from 0 to 1', (text) =>
      /^(0|1|0?\.\d{1,9}|1\.0+|0\.0+)$/.test(text) ? Number(text) : null,
    ),
    '1',
  ),
  OTEL_BSP_SCHEDULE_DELAY: optional(milliseconds(), '5000'),
  OTEL_BSP_EXPORT_TIMEOUT: optional(milliseconds(), '30000'),
  OTEL_BSP_MAX_QUEUE_SIZE: optional(wholeNumber(1, 100_000), '2048'),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: optional(wholeNumber(1, 100_000), '512'),
});
