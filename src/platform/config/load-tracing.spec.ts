import { ConfigFault } from './config-fault.js';
import { loadConfig } from './load-config.js';
import { loadTracing } from './load-tracing.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

describe('loadTracing', () => {
  it.each([
    [{}],
    [{ OTEL_TRACES_EXPORTER: '' }],
    [{ OTEL_TRACES_EXPORTER: 'none' }],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'TRUE' }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
    [{ OTEL_SERVICE_NAME: 'mine', OTEL_TRACES_SAMPLER: 'always_on' }],
  ])('is off with %j', (env) => {
    expect(loadTracing('api', env)).toEqual({ tracing: null, faults: [] });
  });

  it.each([
    [ENDPOINT, 'otlp'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/v1/traces' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'console' }, 'console'],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: 'no' }, 'otlp'],
  ])('is on with %j', (env, exporter) => {
    expect(loadTracing('worker', env)).toEqual({ tracing: { exporter, serviceName: 'mailvet-worker' }, faults: [] });
  });

  it('is off in operator commands', () => {
    expect(loadTracing('cli', ENDPOINT).tracing).toBeNull();
  });

  it.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin', 'must be one of otlp, console, none'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json', 'must be one of http/protobuf'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http:// or https:// URL'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization', 'must be a comma list of name=value'],
    ['OTEL_TRACES_SAMPLER', 'xray', 'must be one of always_on,'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', 'must be a whole number from 1 to 100000'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '4096', 'must not be above OTEL_BSP_MAX_QUEUE_SIZE'],
  ])('rejects %s=%s if tracing is on, and ignores it if tracing is off', (name, value, rule) => {
    const [fault] = loadTracing('api', { ...ENDPOINT, [name]: value }).faults;
    expect(fault?.[0]).toBe(name);
    expect(fault?.[1]).toContain(rule);
    expect(loadTracing('api', { ...ENDPOINT, [name]: value, OTEL_SDK_DISABLED: 'true' }).faults).toEqual([]);
  });

  it.each([['0'], ['1'], ['0.25'], ['.5'], ['1.0']])('accepts %s as a share', (OTEL_TRACES_SAMPLER_ARG) => {
    expect(loadTracing('api', { ...ENDPOINT, OTEL_TRACES_SAMPLER_ARG }).faults).toEqual([]);
  });

  it('accepts headers as given', () => {
    const OTEL_EXPORTER_OTLP_HEADERS = 'authorization=Basic YWJjOmRlZg==,x-tenant=7';
    expect(loadTracing('api', { ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).faults).toEqual([]);
  });

  it('reports its faults with those of the other variables, without values', () => {
    const load = () => loadConfig('api', { PORT: 'abc', ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'hunter2' });
    expect(load).toThrow(ConfigFault);
    expect(load).toThrow(/^PORT: /m);
    expect(load).toThrow(/^OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http\/protobuf$/m);
    expect(load).not.toThrow(/hunter2/);
  });
});
