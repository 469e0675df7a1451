import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { freePort } from '../support/free-port.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';

const world = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED, info: ACCEPTED } }),
  domainWithHost('catch-all.example', { otherRecipients: ACCEPTED }),
  domainWithHost('wary.example', {
    otherRecipients: '550 5.7.1 Service unavailable; client host [{client}] blocked using a block list',
  }),
  { dns: { 'no-mail.example': { MX: [[0, '.']] } }, hosts: {} },
);

let lab: Laboratory;
let product: Product;
let api: RunningApi;
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
  });
  key = await product.createKey('live');
  api = await product.startApi();
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

describe('POST /v1/verify/single', () => {
  it('answers with every field of the contract, in its order', async () => {
    const { status, headers, body } = await api.verify(key, { email: ' Ada@Company.example ' });
    expect(status).toBe(200);
    expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_.:-]{1,128}$/);
    const expected = {
      email: 'ada@company.example',
      result: 'valid',
      deliverable: true,
      reason: 'mailbox_accepts',
      mx: true,
      mx_record: 'mx.company.example',
      disposable: false,
      role: false,
      catch_all: false,
      free_email: null,
      relay: false,
      relay_provider: null,
      parked: false,
      spam_trap: false,
      spam_trap_type: null,
      suggested_correction: null,
      smtp_diagnosis: null,
      score: 0.95,
      freshness: 'fresh',
      checked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      domain: null,
      decision: { recommendation: 'allow', reasons: ['mailbox_accepts'] },
      degraded: false,
    };
    expect(body).toEqual(expected);
    expect(Object.keys(body)).toEqual(Object.keys(expected));
  });

  it.each<[string, object, object]>([
    [
      'an unknown mailbox',
      { email: 'nemo@company.example' },
      { result: 'invalid', reason: 'mailbox_not_found', deliverable: false, smtp_diagnosis: null, score: 0 },
    ],
    [
      'the same in depth',
      { email: 'nemo@company.example', mode: 'enhanced' },
      { result: 'invalid', smtp_diagnosis: 'mailbox_not_found' },
    ],
    [
      'a catch-all domain',
      { email: 'ada@catch-all.example', mode: 'enhanced' },
      { result: 'catch_all', reason: 'catch_all_domain', deliverable: null, catch_all: true },
    ],
    [
      'a refusal of us',
      { email: 'ada@wary.example', mode: 'enhanced' },
      { result: 'unknown', reason: 'smtp_unreachable', deliverable: null, smtp_diagnosis: 'policy_block' },
    ],
    [
      'a null MX',
      { email: 'ada@no-mail.example' },
      { result: 'invalid', reason: 'no_mx', deliverable: false, mx: false, mx_record: null },
    ],
    ['a role address', { email: 'info@company.example' }, { result: 'role', role: true, deliverable: null, mx: true }],
    [
      'no address',
      { email: 'ada' },
      {
        result: 'invalid',
        reason: 'bad_syntax',
        deliverable: false,
        decision: { recommendation: 'deny', reasons: ['bad_syntax'] },
      },
    ],
    ['an empty text', { email: '' }, { result: 'invalid', reason: 'bad_syntax', email: '' }],
    [
      'quick mode',
      { email: 'ada@company.example', mode: 'quick' },
      { result: 'unknown', reason: null, deliverable: null, decision: { recommendation: 'review', reasons: [] } },
    ],
    ['null for the mode', { email: 'ada@company.example', mode: null }, { result: 'valid' }],
  ])('judges %s', async (_, request, expected) => {
    const { status, body } = await api.verify(key, request);
    expect(status).toBe(200);
    expect(body).toMatchObject(expected);
  });

  it.each<[string, unknown, string]>([
    ['no email', {}, 'email'],
    ['an email that is no text', { email: 5 }, 'email'],
    ['an email over 1,024 characters', { email: 'a'.repeat(1025) }, 'email'],
    ['an unknown mode', { email: 'ada@company.example', mode: 'deep' }, 'mode'],
    ['a list', ['ada@company.example'], 'body'],
  ])('refuses %s, naming the field', async (_, request, field) => {
    const before = lab.dnsQueries('company.example');
    const { status, body } = await api.verify(key, request);
    expect(status).toBe(422);
    expect(body).toEqual({ error: { code: 'validation_failed', message: expect.stringContaining(field) } });
    expect(lab.dnsQueries('company.example')).toBe(before);
  });

  it('contacts no host for a sandbox key, and marks every answer', async () => {
    const sandboxKey = await product.createKey('test');
    const { status, headers, body } = await api.verify(sandboxKey, { email: 'valid@sandboxed.example' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'valid', reason: 'mailbox_accepts', deliverable: true });
    expect(headers.get('x-sandbox')).toBe('true');
    expect(lab.dnsQueries('sandboxed.example')).toBe(0);
  });

  it('gives no verdict when its own resolver is down', async () => {
    const blind = await product.startApi({ DNS_SERVERS: `127.0.0.1:${await freePort()}` });
    const { status, headers, body } = await blind.verify(key, { email: 'ada@company.example', max_age: 0 });
    expect(status).toBe(503);
    expect(body).toMatchObject({ error: { code: 'verify_unavailable' } });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('never connects to a private address, and does not count such a host as a mail host', async () => {
    const sessions = lab.sessions('mx.company.example').length;
    const strict = await product.startApi({ SMTP_ALLOW_PRIVATE_NETWORKS: 'false' });
    const { body } = await strict.verify(key, { email: 'ada@company.example', max_age: 0 });
    expect(body).toMatchObject({ result: 'invalid', reason: 'no_mx', mx: false });
    expect(lab.sessions('mx.company.example')).toHaveLength(sessions);
  });

  it('writes no address and no key to its log', () => {
    const log = api.process.output();
    expect(log).toContain('/v1/verify/single');
    expect(log).not.toMatch(/\bada\b|nemo|company\.example/i);
    expect(log).not.toContain(key);
  });
});
