import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost, joinWorlds } from '../lab/world.js';
import { startProduct, type Answered, type Product, type RunningApi } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

/** What a command promises. */
const PROMISE_MS = 5000;
/** How late it may be when the machine is busy. */
const MARGIN_MS = 5000;

const world = joinWorlds(
  domainWithHost('company.example', { recipients: { ada: ACCEPTED } }),
  domainWithHost('trap.example', { recipients: { ada: ACCEPTED } }),
  domainWithHost('quiet.example', { recipients: { ada: ACCEPTED } }),
);

let lab: Laboratory;
let product: Product;
let apis: RunningApi[];
let key: string;

beforeAll(async () => {
  lab = await startLaboratory(world);
  product = await startProduct({
    ...laboratoryEnvironment(lab),
  });
  key = await product.createKey('live');
  apis = await Promise.all([product.startApi(), product.startApi()]);
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

/** The results of every process, once all of them are as wanted. Fails when that takes longer than promised. */
async function everywhere(email: string, holds: (body: Answered['body']) => boolean): Promise<Answered['body'][]> {
  let bodies: Answered['body'][] = [];
  await waitUntil(
    async () => {
      bodies = (await Promise.all(apis.map((api) => api.verify(key, { email })))).map(({ body }) => body);
      return bodies.every(holds);
    },
    { ms: PROMISE_MS + MARGIN_MS },
  );
  expect(bodies.map(holds)).toEqual(bodies.map(() => true));
  return bodies;
}

it('a domain on the blocklist is blocked in every process within 5 seconds, cached results included', async () => {
  await everywhere('ada@company.example', ({ result }) => result === 'valid');
  await product.cli('blocklist', 'add', 'Company.example', '--label', 'phishing', '--note', 'a secret of ours');
  const blocked = await everywhere('ada@company.example', ({ reason }) => reason === 'blocked_domain');
  for (const body of blocked) {
    expect(body).toMatchObject({ result: 'invalid', deliverable: null, mx: true, score: 0 });
    expect(body).toMatchObject({ decision: { recommendation: 'deny', reasons: ['blocked_domain'] } });
  }
  expect(await product.cli('verify', 'ada@company.example')).toMatchObject({ reason: 'blocked_domain', score: 0 });
  await product.cli('blocklist', 'remove', 'company.example');
  await everywhere('ada@company.example', ({ result }) => result === 'valid');
  for (const { process } of apis) expect(process.output()).not.toContain('a secret of ours');
});

it('a known spam trap is flagged, and no longer connected to', async () => {
  await everywhere('ada@trap.example', ({ result }) => result === 'valid');
  await product.cli('spamtrap', 'add', 'mx.trap.example');
  const flagged = await everywhere('ada@trap.example', ({ spam_trap: trap }) => trap === true);
  const before = lab.sessions('mx.trap.example').length;
  for (const body of flagged) {
    expect(body).toMatchObject({ result: 'valid', spam_trap_type: 'known_trap_domain' });
    expect(body).toMatchObject({ decision: { recommendation: 'review' } });
  }
  for (const api of apis) {
    const { body } = await api.verify(key, { email: 'bob@trap.example' });
    expect(body).toMatchObject({ result: 'unknown', reason: 'spam_trap', spam_trap: true, mx: true });
  }
  expect(await product.cli('verify', 'bob@trap.example')).toMatchObject({ result: 'unknown', reason: 'spam_trap' });
  expect(lab.sessions('mx.trap.example')).toHaveLength(before);
});

it('a domain on the do-not-probe list is not connected to', async () => {
  await product.cli('noprobe', 'add', `${lab.addressOf('mx.quiet.example')}/32`);
  // It is in effect everywhere once a later entry of another list is.
  await product.cli('blocklist', 'add', 'marker.example');
  await everywhere('ada@marker.example', ({ reason }) => reason === 'blocked_domain');
  const before = lab.sessions('mx.quiet.example').length;
  for (const api of apis) {
    const { body } = await api.verify(key, { email: 'bob@quiet.example', mode: 'enhanced' });
    expect(body).toMatchObject({ result: 'unknown', reason: 'smtp_unreachable', smtp_diagnosis: null });
  }
  expect(await product.cli('verify', 'bob@quiet.example')).toMatchObject({ reason: 'smtp_unreachable' });
  expect(lab.sessions('mx.quiet.example')).toHaveLength(before);
});
