import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { loadConfig } from '../../src/platform/config/load-config.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createConsole } from '../../src/roles/console.js';
import { domainWithHost } from '../lab/world.js';
import { waitUntil } from '../support/wait-until.js';
import { BillingBench } from './billing-api.js';

const REFERENCE = { SMTP_CHECK_DOMAINS: 'reference.example' };

let bench: BillingBench;
let ofConsole: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start(domainWithHost('reference.example', {}));
});
afterAll(async () => {
  await ofConsole?.close();
  await bench?.close();
});

async function egressShown(app: NestFastifyApplication): Promise<unknown> {
  const { details } = (await app.inject({ url: '/health/ready' })).json<{ details: Record<string, unknown> }>();
  return details['egress'];
}

it('only a process that probes connects to the mail hosts of SMTP_CHECK_DOMAINS', async () => {
  const portless = await bench.startApi({ ...REFERENCE, PROBE_IN_API: 'false' });
  const { database, redisUrl: REDIS_URL, lab } = bench;
  const settings = loadConfig('console', {
    ...REFERENCE,
    DATABASE_URL: database.url,
    REDIS_URL,
    DNS_SERVERS: lab.dnsServer,
    SMTP_PORT: String(lab.smtpPort),
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
  });
  ofConsole = await (await createConsole(settings, createLog('silent'))).init();
  // The last to start, so the others would have connected before.
  const api = await bench.startApi(REFERENCE);
  expect(await waitUntil(async () => lab.sessions('mx.reference.example').length > 0, { ms: 60_000 })).toBe(true);
  expect(await waitUntil(async () => JSON.stringify(await egressShown(api)).includes('open'), { ms: 60_000 })).toBe(
    true,
  );
  expect(lab.sessions('mx.reference.example')).toHaveLength(1);
  expect([await egressShown(portless), await egressShown(ofConsole)]).toEqual([undefined, undefined]);
});
