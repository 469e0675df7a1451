import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { runProcess } from '../support/processes.js';
import { claimTestRedis } from '../support/redis.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly found: string;
  readonly advice: string | null;
}

let lab: Laboratory;
let database: TestDatabase;
let redis: Awaited<ReturnType<typeof claimTestRedis>>;

beforeAll(async () => {
  lab = await startLaboratory(
    joinWorlds(
      domainWithHost('big.example', { otherRecipients: ACCEPTED }),
      domainWithHost('closed.example', { tcp: 'refused' }),
      { dns: { 'nobody.example': { A: ['127.0.0.1'], TXT: ['v=spf1 -all'] } }, hosts: {} },
    ),
  );
  [database, redis] = await Promise.all([createTestDatabase(), claimTestRedis()]);
});
afterAll(async () => {
  await redis?.release();
  await database?.drop();
  await lab?.stop();
});

const way = (env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...laboratoryEnvironment(lab),
  SMTP_CHECK_DOMAINS: 'big.example',
  ...env,
});

async function doctor(env: NodeJS.ProcessEnv, ...options: string[]) {
  const { code, stdout, stderr } = await runProcess(['dist/cli', 'doctor', '--json', ...options], env);
  expect(stderr).toBe('');
  const findings = JSON.parse(stdout) as Finding[];
  return { code, findings: Object.fromEntries(findings.map((one) => [one.check, one])), all: findings };
}

it('passes a working machine, and says to run pending migrations', async () => {
  const { code, findings } = await doctor({ ...way(), DATABASE_URL: database.url, REDIS_URL: redis.url });
  expect(findings[`resolver ${lab.dnsServer}`]).toMatchObject({ state: 'ok' });
  expect(findings[`outgoing port ${lab.smtpPort}`]).toMatchObject({
    state: 'ok',
    found: 'open: mx.big.example answered',
  });
  expect(findings['HELO name']).toMatchObject({ state: 'ok' });
  expect(findings['SPF of the sender']).toMatchObject({ state: 'ok' });
  expect(findings['database']).toMatchObject({ state: 'ok', found: expect.stringMatching(/^MariaDB|^MySQL/) });
  expect(findings['schema']).toMatchObject({ state: 'fault', advice: 'Type: node dist/cli migrate' });
  expect(findings['Redis eviction']).toMatchObject({ state: 'ok' });
  expect(findings['clock']).toMatchObject({ state: 'ok' });
  expect(code).toBe(1);
});

it('reports a closed port, a HELO name that does not resolve and an SPF record that allows no host', async () => {
  const env = way({
    SMTP_CHECK_DOMAINS: 'closed.example',
    SMTP_HELO_NAME: 'nowhere.example',
    SMTP_MAIL_FROM: 'verify@nobody.example',
  });
  const { code, findings, all } = await doctor(env, '--short');
  expect(findings[`outgoing port ${lab.smtpPort}`]).toMatchObject({
    state: 'fault',
    advice: expect.stringContaining('SMTP_EGRESS'),
  });
  expect(findings['HELO name']).toMatchObject({ state: 'fault' });
  expect(findings['SPF of the sender']).toMatchObject({ state: 'fault' });
  expect(all.map(({ check }) => check)).not.toContain('database');
  expect(code).toBe(1);
});

it('reports a resolver that does not answer, and missing stores', async () => {
  const env = { ...way({ DNS_SERVERS: '127.0.0.1:1', DNS_TIMEOUT_MS: '300' }), REDIS_URL: 'redis://127.0.0.1:1' };
  const { findings } = await doctor({ ...env, DATABASE_URL: 'mysql://user:secret@127.0.0.1:1/none' });
  expect(findings['resolver 127.0.0.1:1']).toMatchObject({ state: 'fault' });
  expect(findings['database']).toMatchObject({ state: 'fault', found: 'does not answer: ECONNREFUSED' });
  expect(findings['Redis']).toMatchObject({ state: 'fault' });
  expect(JSON.stringify(findings)).not.toContain('secret');
});
