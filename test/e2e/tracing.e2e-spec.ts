import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startOtlpCollector, type CollectedSpan, type OtlpCollector } from '../support/otlp-collector.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

/** What must not be found in any span: of an address, a domain, a mail host, a caller. */
const MARKS = ['zebrafish', 'quokka', 'mx.quokka', '127.', 'mv_live_', 'narwhal'];
const REMEMBER_MODULES = `
const { writeFileSync } = require('node:fs');
process.on('exit', () => writeFileSync(
  process.env.MODULES_FOLDER + '/' + process.pid, JSON.stringify(Object.keys(require.cache))));
`;

const world = joinWorlds(
  domainWithHost('quokka-one.example', { recipients: { zebrafish: ACCEPTED, 'zebrafish-now': ACCEPTED } }),
  domainWithHost('quokka-two.example', { otherRecipients: ACCEPTED }),
);

let folder: string;
let lab: Laboratory;
let product: Product;
let key: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-modules-'));
  const hook = join(folder, 'hook.cjs');
  writeFileSync(hook, REMEMBER_MODULES);
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    NODE_OPTIONS: `--require ${hook}`,
    MODULES_FOLDER: folder,
  });
  key = await product.createKey('live');
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Modules of the SDK that a process had loaded when it ended. The API alone is loaded by the metrics library. */
function sdkModulesOf(pid: number): string[] {
  expect(readdirSync(folder)).toContain(String(pid));
  const files = JSON.parse(readFileSync(join(folder, String(pid)), 'utf8')) as string[];
  const modules = files.flatMap((file) => [file, ...bundledIn(file)]);
  expect(modules.some((path) => path.includes('/node_modules/fastify/'))).toBe(true);
  return modules.filter((path) => /\/@opentelemetry\/(?!api\/)|\/tracing\/otel\//.test(path));
}

/** What a file of the bundle was made of, from its source map. */
function bundledIn(file: string): string[] {
  if (!existsSync(`${file}.map`)) return [];
  return (JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] }).sources;
}

describe('without tracing variables', () => {
  it('the API and the worker load no module of the SDK', async () => {
    const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);
    await api.verify(key, { email: 'off@quokka-one.example' });
    await api.verify(key, { email: 'off-async@quokka-one.example', async: true });
    expect(await api.process.stop()).toBe(0);
    expect(await worker.process.stop()).toBe(0);
    expect(sdkModulesOf(api.process.pid)).toEqual([]);
    expect(sdkModulesOf(worker.process.pid)).toEqual([]);
    expect(api.process.output()).not.toContain('trace_id');
  });
});

describe('with a collector', () => {
  let collector: OtlpCollector;
  let api: RunningApi;
  let worker: { readonly process: RunningApi['process'] };
  let tracingOn: NodeJS.ProcessEnv;

  beforeAll(async () => {
    collector = await startOtlpCollector();
    tracingOn = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=seven',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    [api, worker] = await Promise.all([product.startApi(tracingOn), product.startWorker(tracingOn)]);
  });
  afterAll(async () => {
    await api?.process.stop();
    await worker?.process.stop();
    await collector?.close();
  });

  const collected = (is: (span: CollectedSpan) => boolean): Promise<CollectedSpan | null> =>
    waitUntil(async () => collector.spans.find(is), { ms: 60_000 });

  const pathOf = (span: CollectedSpan): string[] => {
    const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent === undefined ? [span.name] : [...pathOf(parent), span.name];
  };

  /** The root span of a request that this test sent, told by the `traceparent` it came with. */
  let sent = 0;
  const traced = async (body: unknown, path = '/v1/verify/single') => {
    const caller = `4bf92f3577b34da6a3ce929d0e0e${String((sent += 1)).padStart(4, '0')}`;
    const answer = await api.post(path, key, body, {
      traceparent: `00-${caller}-00f067aa0ba902b7-01`,
      tracestate: 'vendor=narwhal',
      baggage: 'secret=narwhal',
      'x-request-id': `narwhal-${sent}`,
      'user-agent': 'narwhal',
    });
    const root = await collected(({ kind, links }) => kind === 'SERVER' && links[0]?.startsWith(caller) === true);
    return { answer, root, caller };
  };
  /** All that a trace came to, once its last span is there. */
  const traceOf = async (root: CollectedSpan | null, last: string): Promise<CollectedSpan[]> => {
    const ended = await collected(({ traceId, name }) => traceId === root?.traceId && name === last);
    expect(ended?.name).toBe(last);
    return collector.spans.filter(({ traceId }) => traceId === root?.traceId);
  };

  it('a deferred probe is one trace across both processes', async () => {
    const { answer, root } = await traced({ email: 'Zebrafish@quokka-one.example', async: true, mode: 'enhanced' });
    expect(answer.body).toMatchObject({ reason: 'verification_pending' });
    expect(root).toMatchObject({
      service: 'mailvet-api',
      name: 'POST /v1/verify/single',
      parentSpanId: '',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/verify/single',
        'http.response.status_code': 200,
      },
    });
    const trace = await traceOf(root, 'process smtp-probe');
    const paths = trace.map((span) => `${span.service} ${span.kind}: ${pathOf(span).join(' > ')}`);
    const request = 'POST /v1/verify/single';
    const run = `${request} > send smtp-probe > process smtp-probe`;
    expect(paths).toEqual(
      expect.arrayContaining([
        `mailvet-api INTERNAL: ${request} > engine check`,
        `mailvet-api CLIENT: ${request} > engine check > DNS MX`,
        `mailvet-api CLIENT: ${request} > engine check > DNS A`,
        `mailvet-api INTERNAL: ${request} > charge`,
        `mailvet-api CLIENT: ${request} > charge > MySQL packet`,
        `mailvet-api PRODUCER: ${request} > send smtp-probe`,
        `mailvet-worker CONSUMER: ${run}`,
        `mailvet-worker CLIENT: ${run} > engine check > DNS MX`,
        `mailvet-worker CLIENT: ${run} > engine check > SMTP probe`,
      ]),
    );
    const statements = trace.filter(({ attributes }) => attributes['db.query.text'] !== undefined);
    expect(statements.map(({ service }) => service)).toEqual(expect.arrayContaining(['mailvet-api', 'mailvet-worker']));
    expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['DELETE pending_probes', 'COMMIT']));

    const probe = trace.find(({ name }) => name === 'SMTP probe');
    expect(probe?.attributes).toMatchObject({
      'mailvet.smtp.provider': 'other',
      'mailvet.smtp.stage': 'rcpt',
      'mailvet.smtp.ending': 'reply',
      'mailvet.smtp.code': 250,
    });
    expect(probe?.events).toEqual(expect.arrayContaining(['smtp.ehlo', 'smtp.mail', 'smtp.rcpt', 'smtp.reply']));
    const question = trace.find(({ name }) => name === 'DNS MX');
    expect(question?.attributes).toEqual({
      'mailvet.dns.type': 'MX',
      'mailvet.dns.outcome': 'records',
      'network.transport': 'udp',
    });
    expect(collector.lastHeaders['x-tenant']).toBe('seven');
  });

  it('a synchronous probe is one trace without duplicate spans', async () => {
    const { answer, root } = await traced({ email: 'zebrafish-now@quokka-one.example' });
    expect(answer.body).toMatchObject({ result: 'valid' });
    const trace = await traceOf(root, 'charge');
    expect(trace.map((span) => pathOf(span).join(' > '))).toContain(
      'POST /v1/verify/single > engine check > SMTP probe',
    );
    expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
  });

  it('many deferred probes begin their own traces in the worker, with links to their calls', async () => {
    const emails = Array.from({ length: 3 }, (_, i) => `zebrafish-${i}@quokka-two.example`);
    const { root } = await traced({ emails }, '/v1/verify/batch');
    const send = (await traceOf(root, 'send smtp-probe')).find(({ name }) => name === 'send smtp-probe');
    const origin = `${send?.traceId}/${send?.spanId}`;
    const runs = () => collector.spans.filter(({ links, kind }) => kind === 'CONSUMER' && links.includes(origin));
    expect(await waitUntil(async () => runs().length === 3, { ms: 60_000 })).toBe(true);
    expect(new Set(runs().map(({ traceId }) => traceId)).size).toBe(3);
    expect(runs().every(({ parentSpanId }) => parentSpanId === '')).toBe(true);
  });

  it('a job is one trace across its steps, with one span for all probes that share connections', async () => {
    const emails = Array.from({ length: 5 }, (_, i) => `zebrafish-of-job-${i}@quokka-two.example`);
    const { root } = await traced({ emails }, '/v1/verify/jobs');
    const trace = await traceOf(root, 'SMTP bulk probe');
    expect(trace.find(({ name }) => name === 'SMTP bulk probe')?.attributes).toEqual({
      'mailvet.smtp.provider': 'other',
      'mailvet.smtp.domains': 1,
      'mailvet.smtp.recipients': 5,
      'mailvet.smtp.endings.reply': 5,
    });
    expect(trace.some(({ name, kind }) => name === 'process job-batch' && kind === 'CONSUMER')).toBe(true);
  });

  it("a caller's trace is linked, but decides neither the trace id nor the sampling", async () => {
    const { root, caller } = await traced({ email: 'zebrafish@quokka-one.example', mode: 'quick' });
    expect(root?.traceId).not.toBe(caller);
    expect(root?.links).toEqual([`${caller}/00f067aa0ba902b7`]);
    const unsampled = await product.startApi({ ...tracingOn, OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    const before = collector.spans.length;
    await unsampled.post(
      '/v1/verify/single',
      key,
      { email: 'zebrafish@quokka-one.example' },
      { traceparent: `00-${caller}-00f067aa0ba902b7-01` },
    );
    expect(await unsampled.process.stop()).toBe(0);
    expect(collector.spans.slice(before)).toEqual([]);
    expect(sdkModulesOf(unsampled.process.pid)).not.toEqual([]);
  });

  it('a refusal has its status, and an unknown route no name of its own', async () => {
    const caller = '4bf92f3577b34da6a3ce929d0e0effff';
    const headers = { traceparent: `00-${caller}-00f067aa0ba902b7-01` };
    await api.post('/v1/zebrafish/quokka', 'mv_live_narwhal', {}, headers);
    const root = await collected(({ links }) => links[0]?.startsWith(caller) === true);
    expect(root).toMatchObject({ name: 'POST', attributes: { 'http.response.status_code': 404 }, isError: false });
    expect(root?.attributes).not.toHaveProperty('http.route');
  });

  it('health is not traced', async () => {
    await fetch(`${api.url}/health/ready`);
    await traced({ email: 'zebrafish@quokka-one.example', mode: 'quick' });
    expect(collector.spans.filter(({ attributes }) => String(attributes['http.route']).includes('health'))).toEqual([]);
  });

  it('log lines have the id of their trace', async () => {
    const { root } = await traced({ email: 'zebrafish@quokka-one.example', mode: 'quick' });
    const lines = api.process.output().split('\n');
    const line = lines.find((text) => text.includes('"request"') && text.includes(String(root?.traceId)));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ trace_id: root?.traceId, span_id: root?.spanId, status: 200 });
  });

  it('remaining spans are sent at shutdown, and no personal data was ever sent', async () => {
    const late = await product.startApi({ ...tracingOn, OTEL_BSP_SCHEDULE_DELAY: '60000' });
    const before = collector.spans.length;
    await late.verify(key, { email: 'zebrafish-late@quokka-two.example' });
    expect(await late.process.stop()).toBe(0);
    expect(collector.spans.slice(before).map(({ name }) => name)).toContain('POST /v1/verify/single');
    expect(await api.process.stop()).toBe(0);
    expect(await worker.process.stop()).toBe(0);

    const octets = collector.octets().toString('latin1').toLowerCase();
    expect(octets.length).toBeGreaterThan(10_000);
    expect(octets).toContain('deployment.environment.name');
    expect(MARKS.filter((mark) => octets.includes(mark))).toEqual([]);
    // Keys and addresses are looked up by their hashes: no octets of those either.
    expect(octets).not.toMatch(/[0-9a-f]{40}/);
  });
});

describe('without a reachable collector', () => {
  it('requests are served as usual, one line is logged, and the process stops in time', async () => {
    const api = await product.startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
      OTEL_BSP_SCHEDULE_DELAY: '50',
      SHUTDOWN_GRACE_MS: '15000',
    });
    for (let i = 0; i < 5; i += 1) {
      expect((await api.verify(key, { email: `gone-${i}@quokka-one.example` })).status).toBe(200);
    }
    const told = await waitUntil(async () => api.process.output().includes('does not accept spans'), { ms: 60_000 });
    expect(told).toBe(true);
    const began = performance.now();
    expect(await api.process.stop()).toBe(0);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(api.process.output().split('does not accept spans')).toHaveLength(2);
  });

  it('an unsupported protocol stops the start', async () => {
    const start = product.startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    });
    await expect(start).rejects.toThrow('OTEL_EXPORTER_OTLP_PROTOCOL: must be one of http/protobuf');
  });
});
