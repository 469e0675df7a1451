import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { createConnection, type Connection } from 'mysql2/promise';
import { spentCredits } from '../support/spent-credits.js';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Product } from '../support/product.js';
import { expectSoundBooks } from '../support/sound-books.js';
import { waitUntil } from '../support/wait-until.js';

const DELAY_MS = 8000;
const GRACE_MS = 20_000;
const CONNECTIONS = 40;

const world = joinWorlds(
  domainWithHost('company.example', { otherRecipients: ACCEPTED }),
  domainWithHost('slow.example', { otherRecipients: { lines: ACCEPTED, delayMs: DELAY_MS + 1500 } }),
);

let lab: Laboratory;
let product: Product;
let database: Connection;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    SHUTDOWN_GRACE_MS: String(GRACE_MS),
    VERIFY_DEADLINE_MS: '30000',
  });
  database = await createConnection({ uri: product.databaseUrl });
  await database.query('UPDATE plans SET free_verifies_per_month = 0, requests_per_minute = 1000000');
  await product.cli('credits', 'grant', product.accountId, '1000000');
  key = await product.createKey('live');
});
afterAll(async () => {
  await database?.end();
  await product?.close();
  await lab?.stop();
});

interface Whole {
  readonly status: number;
  readonly credits: number;
  /** The server takes no more requests on this connection. */
  readonly isLast: boolean;
}

/** Resolves once the whole answer is there; rejects when it is cut. */
async function ask(agent: Agent, url: string, body: unknown): Promise<Whole> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const sent = request(`${url}/v1/verify/single`, { agent, method: 'POST', headers });
  sent.end(JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  JSON.parse(Buffer.concat(chunks).toString());
  return {
    status: response.statusCode ?? 0,
    credits: Number(response.headers['x-credits-used'] ?? 0),
    isLast: response.headers.connection === 'close',
  };
}

describe('an API that gets SIGTERM under load', () => {
  const BODIES = [
    { email: 'ada@company.example' },
    { email: 'no address' },
    { email: 'grace@company.example', mode: 'quick' },
  ];
  const agents: Agent[] = [];
  const oneConnection = (): Agent => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    return agent;
  };
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });

  it('answers every request on its connections, charges only those, and exits with 0 in time', async () => {
    const { process, url } = await product.startApi({ SHUTDOWN_DELAY_MS: String(DELAY_MS) });
    const before = await spentCredits(database);
    const answers: Whole[] = [await ask(oneConnection(), url, BODIES[0])];
    const waiting = oneConnection();
    answers.push(await ask(waiting, url, BODIES[0]));
    // Like a balancer, they open no more connections; what they have they use for as long as they may.
    const clients = Array.from({ length: CONNECTIONS }, async (_, client) => {
      const agent = oneConnection();
      for (let i = client, isLast = false; !isLast; i++) {
        const answer = await ask(agent, url, BODIES[i % BODIES.length]);
        answers.push(answer);
        ({ isLast } = answer);
      }
    });
    const load = Promise.all(clients);
    load.catch(() => undefined);
    expect(await waitUntil(async () => answers.length > 10 * CONNECTIONS, { ms: 60_000, gone: load })).toBe(true);
    // Under way for longer than the API serves on.
    const slow = Promise.all(['ada', 'bob'].map((who) => ask(oneConnection(), url, { email: `${who}@slow.example` })));
    slow.catch(() => undefined);
    const isAsking = async () => lab.sessions('mx.slow.example').length > 0;
    expect(await waitUntil(isAsking, { ms: 60_000 })).toBe(true);
    expect(answers.filter(({ isLast }) => isLast)).toEqual([]);

    const begun = performance.now();
    process.kill('SIGTERM');
    await load;
    expect(answers.filter(({ isLast }) => isLast)).toHaveLength(CONNECTIONS);
    // A connection that was idle meanwhile is as good as the others until the delay is over.
    expect(performance.now() - begun).toBeLessThan(DELAY_MS);
    const late = await ask(waiting, url, BODIES[0]);
    expect(late).toMatchObject({ status: 200, isLast: true });
    answers.push(late, ...(await slow));
    expect(await process.exitCode).toBe(0);
    expect(performance.now() - begun).toBeLessThan(DELAY_MS + GRACE_MS);

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(process.output()).toContain('"msg":"stopped"');
    expect(await spentCredits(database)).toBe(before + answers.reduce((sum, { credits }) => sum + credits, 0));
    expect(await spentCredits(database)).toBeGreaterThan(before + answers.length / 4);
    await expectSoundBooks(product);
  });
});
