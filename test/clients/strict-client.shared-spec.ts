import { readApiDocument } from '../support/openapi/api-document.js';
import { StrictClient } from '../support/openapi/strict-client.js';
import { waitUntil } from '../support/wait-until.js';
import { DOMAIN, product, url } from './service.js';

const EVENT = { verdict: 'valid', action: 'allow', reasons: [], degraded: false, source: 'local' };
const NO_JOB = '01a22072-f122-77d4-b8c0-d09d74dc5f00';

const clientWith = (key: string) => new StrictClient(url, key, readApiDocument());

describe.each(['test', 'live'] as const)('a client generated from the description, with a %s key', (mode) => {
  let client: StrictClient;
  beforeAll(async () => {
    client = clientWith(await product.createKey(mode));
  });

  it('understands every operation', async () => {
    const done = new Set<string>();
    const call = async (operation: string, asked: Parameters<StrictClient['call']>[1] = {}): Promise<unknown> => {
      done.add(operation);
      return client.call(operation, asked);
    };
    const emails = ['valid', 'role', 'nobody'].map((localPart) => `${localPart}@${DOMAIN}`).concat('no address');
    for (const checkMode of ['quick', 'standard', 'enhanced']) {
      for (const email of emails) await call('verifySingle', { body: { email, mode: checkMode } });
      await call('verifyBatch', { body: { emails, mode: checkMode } });
    }
    const again = { body: { emails }, headers: { 'idempotency-key': `once-${mode}` } };
    expect(await call('submitJob', again)).toEqual(await call('submitJob', again));
    const { id } = (await call('submitJob', { body: { emails } })) as { id: string };
    const completed = await waitUntil(
      async () => ((await call('getJob', { id })) as { status: string }).status === 'completed',
      { ms: 60_000, everyMs: 200 },
    );
    expect(completed).toBe(true);
    await call('getJob', { id, query: '?offset=1&limit=2' });
    expect(await call('getJob', { id, headers: { accept: 'text/csv' } })).toMatch(/^email,result,/);
    await call('listJobs', { query: '?limit=1' });
    await call('deleteJob', { id });
    await call('lookUpDomain', { body: { domain: DOMAIN } });
    const webhook = { url: 'https://hooks.example.com/mailvet', events: ['job.completed'] };
    const { id: webhookId } = (await call('createWebhook', { body: webhook })) as { id: string };
    await call('listWebhooks');
    await call('deleteWebhook', { id: webhookId });
    await call('getCredits');
    await call('getCredits', { body: [] });
    expect(await call('recordGuardEvents', { body: { events: [EVENT, {}] } })).toEqual({ accepted: 1, rejected: 1 });
    for (const probe of ['checkLiveness', 'checkReadiness', 'checkStartup']) await call(probe);
    for (const page of ['getEntrance', 'getOpenApiDocument']) await call(page);
    expect([...done].sort()).toEqual(client.operations.sort());
  });

  it.each([
    ['NotFound', 'not_found', 'getJob', { id: NO_JOB }],
    ['NotFound', 'not_found', 'deleteJob', { id: NO_JOB }],
    ['Validation', 'validation_failed', 'verifyBatch', { body: { emails: [] } }],
    ['Validation', 'validation_failed', 'listJobs', { query: '?limit=0' }],
    ['Validation', 'validation_failed', 'recordGuardEvents', { body: { events: [{}] } }],
  ])('gets a %s error (%s) of %s', async (kind, code, operation, asked) => {
    await expect(client.call(operation, asked)).rejects.toMatchObject({ kind, code });
  });
});

it('distinguishes the errors of the sandbox and of a wrong key', async () => {
  const client = clientWith(await product.createKey('test'));
  const single = (localPart: string) => client.call('verifySingle', { body: { email: `${localPart}@example.com` } });
  await expect(single('ratelimit')).rejects.toMatchObject({ kind: 'RateLimit', code: 'rate_limit_exceeded' });
  await expect(single('servererror')).rejects.toMatchObject({ kind: 'Unavailable', code: 'verify_unavailable' });
  await expect(clientWith('mv_live_nobody').call('getCredits')).rejects.toMatchObject({ kind: 'Authentication' });
});

it('a live key without credits gets a Payment error', async () => {
  const { id } = await product.cli<{ id: string }>('account', 'create', '--name', 'Poor', '--plan', 'free');
  const { key } = await product.cli<{ key: string }>('key', 'create', id, '--mode', 'live');
  const emails = Array.from({ length: 101 }, (_, i) => `person-${i}@${DOMAIN}`);
  await expect(clientWith(key).call('submitJob', { body: { emails } })).rejects.toMatchObject({
    kind: 'Payment',
    code: 'insufficient_credits',
  });
});
