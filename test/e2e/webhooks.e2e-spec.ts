import { createConnection, type Connection } from 'mysql2/promise';
import { DnsServer } from '../lab/dns/dns-server.js';
import { startProduct, type Product, type RunningWorker } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';
import { answerWith, WebhookReceiver, type Answer } from '../support/webhook-receiver.js';

let dns: DnsServer;
let product: Product;
let worker: RunningWorker;
let database: Connection;
const receivers: WebhookReceiver[] = [];

beforeAll(async () => {
  dns = await DnsServer.start({ 'hooks.example': { A: ['127.0.0.1'] } }, '127.0.0.1');
  product = await startProduct({
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_CHECK_DOMAINS: 'none',
    DNS_SERVERS: `127.0.0.1:${dns.port}`,
    WORKER_QUEUES: 'webhook-delivery,maintenance',
  });
  database = await createConnection({ uri: product.databaseUrl, timezone: 'Z' });
  worker = await product.startWorker();
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await database?.end();
  await product?.close();
  await dns?.stop();
});

async function receive(answer: Answer): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.start(answer);
  receivers.push(receiver);
  return receiver;
}

/** An endpoint of an account of its own. */
async function endpointAt(url: string): Promise<string> {
  const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Hooked', '--plan', 'free');
  const made = await product.cli<{ id: string }>('webhook', 'create', id, '--url', url, '--events', 'job.completed');
  return made.id;
}

interface Delivery {
  id: string;
  state: string;
  attempts: number;
  status: number | null;
  fault: string | null;
}
const deliveries = (endpoint: string) => product.cli<Delivery[]>('webhook', 'deliveries', endpoint);
/** The first delivery, once an attempt at it has ended. */
const attempted = (endpoint: string) =>
  waitUntil(
    async () => {
      const [delivery] = await deliveries(endpoint);
      return delivery !== undefined && (delivery.status !== null || delivery.fault !== null) && delivery;
    },
    { ms: 90_000, everyMs: 250 },
  );

describe('receivers that misbehave', () => {
  it('are each taken as they deserve, and none delays another', async () => {
    const elsewhere = await receive(answerWith(204));
    const cases: Record<string, [Answer, Partial<Delivery>]> = {
      hangs: [() => undefined, { state: 'due', status: null, fault: 'timeout' }],
      fails: [answerWith(500), { state: 'due', status: 500 }],
      gone: [answerWith(410), { state: 'failed', status: 410 }],
      redirects: [answerWith(301, '', { location: elsewhere.url }), { state: 'due', status: 301 }],
      closes: [(_, __, request) => void request.socket.destroy(), { state: 'due', status: null, fault: 'no_answer' }],
      'closes mid-answer': [
        (response, _, request) => {
          response.writeHead(200, { 'content-length': 1000 }).write('half', () => request.socket.destroy());
        },
        { state: 'delivered', status: 200 },
      ],
      'closes within the head': [
        (_, __, request) => void request.socket.write('HTTP/1.1 200 OK\r\nconten', () => request.socket.destroy()),
        { state: 'due', status: null, fault: 'no_answer' },
      ],
      'takes 10 seconds': [
        (response) => void setTimeout(() => response.writeHead(204).end(), 10_000),
        { state: 'delivered', status: 204 },
      ],
      'sends 10 MB': [answerWith(200, 'x'.repeat(10_000_000)), { state: 'delivered', status: 200 }],
      answers: [answerWith(204), { state: 'delivered', status: 204 }],
    };
    const endpoints = new Map<string, string>();
    for (const [name, [answer]] of Object.entries(cases))
      endpoints.set(name, await endpointAt((await receive(answer)).url));
    for (const endpoint of endpoints.values()) await product.cli('webhook', 'test', endpoint);
    for (const [name, endpoint] of endpoints) {
      expect([name, await attempted(endpoint)]).toEqual([name, expect.objectContaining(cases[name]![1])]);
    }
    expect(elsewhere.connections).toBe(0);
    const [rows] = await database.query("SELECT actor, action FROM audit_log WHERE action = 'webhook.disable'");
    expect(rows).toEqual([{ actor: 'service:webhooks', action: 'webhook.disable' }]);
  });
});

describe('a worker that is killed between sending and recording', () => {
  it('leaves the delivery to another one, which sends it again with the same id', async () => {
    let answerLater: (() => void) | undefined;
    const receiver = await receive((response) => (answerLater = () => response.writeHead(204).end()));
    const endpoint = await endpointAt(receiver.url);
    await product.cli('webhook', 'test', endpoint);
    expect(await waitUntil(() => Promise.resolve(receiver.received.length === 1), { ms: 60_000 })).toBe(true);
    worker.process.kill('SIGKILL');
    await worker.process.exitCode;
    answerLater!();
    receiver.answer = answerWith(204);
    worker = await product.startWorker();
    const delivered = await waitUntil(
      async () => (await deliveries(endpoint)).find(({ state }) => state === 'delivered'),
      { ms: 90_000, everyMs: 250 },
    );
    expect(delivered).toMatchObject({ attempts: 2, status: 204 });
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(ids).toEqual([delivered!.id, delivered!.id]);
  });
});

describe('a worker outside of a laboratory', () => {
  it('connects to no private address, by name, by address or over plain HTTP', async () => {
    const receiver = await receive(answerWith(204));
    const endpoints = await Promise.all([
      endpointAt(`https://hooks.example:${receiver.port}/`),
      endpointAt(`https://127.0.0.1:${receiver.port}/`),
      endpointAt(receiver.url),
    ]);
    await worker.process.stop();
    worker = await product.startWorker({ SMTP_ALLOW_PRIVATE_NETWORKS: 'false' });
    for (const endpoint of endpoints) await product.cli('webhook', 'test', endpoint);
    const faults = await Promise.all(endpoints.map(async (endpoint) => (await attempted(endpoint))?.fault));
    expect(faults).toEqual(['forbidden_address', 'bad_url', 'bad_url']);
    expect(receiver.connections).toBe(0);
  });
});
