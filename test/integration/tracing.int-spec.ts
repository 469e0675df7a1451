import { Logger } from '@nestjs/common';
import { Queue } from 'bullmq';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { DataSource } from 'typeorm';
import { IsNumber } from 'class-validator';
import { parseDatabaseUrl } from '../../src/platform/config/database-url.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { PacketConnection } from '../../src/platform/database/packet-connection.js';
import type { QueueConnection } from '../../src/platform/queues/queue-connection.js';
import { OVER, type JobEnding, type WorkQueue } from '../../src/platform/queues/work-queue.js';
import { startTracing } from '../../src/platform/tracing/start-tracing.js';
import { tracedStep, tracing } from '../../src/platform/tracing/tracing.js';
import { KEY, startTestApi, type TestApi } from '../http/test-api.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startOtlpCollector, type CollectedSpan, type OtlpCollector } from '../support/otlp-collector.js';
import { connectQueues, serveQueue, TestProducer } from '../support/queue-process.js';
import { claimTestRedis, type TestRedis } from '../support/redis.js';
import { waitUntil } from '../support/wait-until.js';

Logger.overrideLogger(false);

const CONFIG = { exporter: 'otlp', serviceName: 'mailvet-test' } as const;

let collector: OtlpCollector;

beforeEach(async () => {
  collector = await startOtlpCollector();
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
  process.env['OTEL_BSP_SCHEDULE_DELAY'] = '20';
  await startTracing(CONFIG);
});
afterEach(async () => {
  await tracing()?.stop(5000);
  await collector.close();
});

/** `work` as a step of a trace that begins here. */
async function inStep<T>(name: string, work: () => Promise<T>): Promise<T> {
  const run = tracing()?.run('maintenance', {});
  if (run === undefined) throw new Error('tracing is off');
  try {
    return await run.within(tracedStep(name, work));
  } finally {
    run.end('over');
  }
}

const collected = (is: (span: CollectedSpan) => boolean) =>
  waitUntil(async () => collector.spans.find(is), { ms: 60_000 });

describe('statements', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeEach(async () => {
    database = await createTestDatabase();
    dataSource = await openDatabase(target());
    await dataSource.query('CREATE TABLE marked (id varchar(99) PRIMARY KEY)');
  });
  afterEach(async () => {
    await dataSource.destroy();
    await database.drop();
  });
  const target = () => {
    const parsed = parseDatabaseUrl(database.url);
    if (parsed === null) throw new Error('no URL of a database');
    return parsed;
  };

  it('have spans with their text and without their values, within a step', async () => {
    await inStep('a step', () => dataSource.query('INSERT INTO marked VALUES (?)', ['zebrafish']));
    const step = await collected(({ name }) => name === 'a step');
    const span = await collected(({ name }) => name === 'INSERT marked');
    expect(span).toMatchObject({
      kind: 'CLIENT',
      parentSpanId: step?.spanId,
      isError: false,
      attributes: {
        'db.system.name': 'mysql',
        'db.operation.name': 'INSERT',
        'db.collection.name': 'marked',
        'db.query.text': 'INSERT INTO marked VALUES (?)',
      },
    });
    expect(collector.octets().includes('zebrafish')).toBe(false);
  });

  it("that fail show the error's code, never its message, and throw as before", async () => {
    const twice = inStep('twice', async () => {
      await dataSource.query("INSERT INTO marked VALUES ('zebrafish')");
      await dataSource.query("INSERT INTO marked VALUES ('zebrafish')");
    });
    await expect(twice).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
    const failed = await collected(({ name, isError }) => isError && name === 'INSERT marked');
    expect(failed?.attributes).toMatchObject({
      'error.type': 'ER_DUP_ENTRY',
      'db.query.text': 'INSERT INTO marked VALUES (?)',
    });
    expect((await collected(({ name }) => name === 'twice'))?.isError).toBe(true);
    expect(collector.octets().includes('zebrafish')).toBe(false);
  });

  it('outside of any span have none, nor have those that outlive their span', async () => {
    let goOn = (): void => undefined;
    const after = new Promise<void>((resolve) => (goOn = resolve));
    let leftBehind: Promise<unknown> | undefined;
    await inStep('short', async () => {
      leftBehind = after.then(() => dataSource.query('SELECT id FROM marked'));
    });
    goOn();
    await leftBehind;
    await dataSource.query('SELECT id FROM marked');
    await inStep('last', async () => undefined);
    const runs = () => collector.spans.filter(({ kind }) => kind === 'CONSUMER');
    expect(await waitUntil(async () => runs().length === 2, { ms: 60_000 })).toBe(true);
    const others = collector.spans.filter(({ kind }) => kind !== 'CONSUMER');
    expect(others.map(({ name }) => name)).toEqual(['short', 'last']);
  });

  it('that are sent in one packet are one span, without their text', async () => {
    const connection = new PacketConnection(target(), { silenceMs: 5000, session: [] });
    const statements = [
      { sql: 'INSERT INTO marked VALUES (?)', values: ['zebrafish'] },
      { sql: 'SELECT id FROM marked' },
    ];
    await inStep('packet', () => connection.send(statements));
    connection.drop();
    const span = await collected(({ name }) => name === 'MySQL packet');
    expect(span?.attributes).toEqual({ 'db.system.name': 'mysql', 'db.operation.batch.size': 2 });
    expect(collector.octets().includes('zebrafish')).toBe(false);
  });
});

describe('requests', () => {
  let api: TestApi;
  beforeEach(async () => {
    api = await startTestApi();
  });
  afterEach(() => api.app.close());
  const server = () => collected(({ kind }) => kind === 'SERVER');

  it('that fail on our side are errors, without details', async () => {
    const url = `http://127.0.0.1:${api.port()}/v1/fail/unexpected`;
    await fetch(url, { method: 'POST', headers: { 'x-api-key': KEY } });
    expect(await server()).toMatchObject({
      name: 'POST /v1/fail/:how',
      isError: true,
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    });
    expect(collector.octets().includes('ada@example.com')).toBe(false);
    const failed = api.logLines().filter(({ err }) => err !== undefined);
    expect(failed).toMatchObject([{ trace_id: (await server())?.traceId }]);
  });

  it('end, even if the body comes late or the caller disconnects', async () => {
    const socket = connect({ host: '127.0.0.1', port: api.port() });
    await once(socket, 'connect');
    const head = `POST /v1/echo HTTP/1.1\r\nhost: x\r\nx-api-key: ${KEY}\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 100\r\n\r\n{`, () => socket.destroy());
    expect(await server()).toMatchObject({
      name: 'POST /v1/echo',
      attributes: { 'http.request.method': 'POST', 'error.type': 'caller_gone' },
    });
  });
});

class Payload {
  @IsNumber()
  readonly n!: number;
}
const QUEUE: WorkQueue<Payload> = {
  name: 'smtp-probe',
  payload: Payload,
  jobId: ({ n }) => `number-${n}`,
};

describe('jobs', () => {
  let redis: TestRedis;
  let connection: QueueConnection;
  let producer: TestProducer<Payload>;
  let close: () => Promise<void>;
  let endings: JobEnding[];
  const handled: Payload[] = [];

  beforeEach(async () => {
    redis = await claimTestRedis();
    connection = connectQueues(redis.url);
    producer = new TestProducer(connection, QUEUE);
    handled.length = 0;
    endings = [];
    ({ close } = await serveQueue({
      queue: QUEUE,
      connection,
      services: { graceMs: 2000 },
      handle: async (payload) => {
        handled.push(payload);
        return endings.shift() ?? OVER;
      },
    }));
  });
  afterEach(async () => {
    await close();
    await producer.beforeApplicationShutdown();
    connection.onApplicationShutdown();
    await redis.release();
  });

  it('belong to the trace of their producer in every run', async () => {
    endings = [{ kind: 'again', afterMs: 1 }];
    await inStep('asker', async () => producer.add([{ payload: { n: 1 }, priority: 1 }]));
    const isRun = ({ name }: CollectedSpan) => name === 'process smtp-probe';
    expect(await waitUntil(async () => collector.spans.filter(isRun).length === 2, { ms: 60_000 })).toBe(true);
    const asker = collector.spans.find(({ name }) => name === 'asker');
    const runs = collector.spans.filter(isRun);
    expect(runs.map(({ attributes }) => attributes['mailvet.job.outcome'])).toEqual(['again', 'over']);
    expect(runs.map(({ traceId }) => traceId)).toEqual([asker?.traceId, asker?.traceId]);
    expect(handled).toEqual([{ n: 1 }, { n: 1 }]);
  });

  it('without a traced producer begin their own trace', async () => {
    producer.add([{ payload: { n: 2 }, priority: 1 }]);
    const run = await collected(({ kind }) => kind === 'CONSUMER');
    expect(run).toMatchObject({ name: 'process smtp-probe', parentSpanId: '', links: [] });
  });

  it.each([
    ['traceparent', 'x'.repeat(100_000)],
    ['traceparent', { toString: 'no function' }],
    ['tracelink', ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01']],
  ])('with an invalid %s run like any other', async (name, value) => {
    const queue = new Queue('smtp-probe', { connection: connection.redis, prefix: '{mailvet}' });
    await queue.add('smtp-probe', { n: 3, [name]: value }, { jobId: 'number-3' });
    const run = await collected(({ kind }) => kind === 'CONSUMER');
    expect(run).toMatchObject({ parentSpanId: '', links: [], isError: false });
    expect(handled).toEqual([{ n: 3 }]);
    await queue.close();
  });
});

describe('a collector that accepts spans and never answers', () => {
  let silent: Server;
  beforeEach(async () => {
    await tracing()?.stop(1000);
    silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '1000';
    process.env['OTEL_BSP_MAX_QUEUE_SIZE'] = '100';
    process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'] = '10';
    await startTracing(CONFIG);
  });
  afterEach(async () => {
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
    delete process.env['OTEL_BSP_MAX_QUEUE_SIZE'];
    delete process.env['OTEL_BSP_MAX_EXPORT_BATCH_SIZE'];
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('delays neither the work nor the shutdown', async () => {
    for (let i = 0; i < 5000; i += 1) expect(await inStep('work', async () => 'done')).toBe('done');
    const began = performance.now();
    await tracing()?.stop(300);
    expect(performance.now() - began).toBeLessThan(9000);
  });
});
