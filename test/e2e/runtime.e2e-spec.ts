import { readFileSync } from 'node:fs';
import { laboratoryEnvironment } from '../lab/laboratory-environment.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost } from '../lab/world.js';
import { DOCUMENT_FILE } from '../support/openapi/api-document.js';
import { runProcess } from '../support/processes.js';
import { startProduct, type Product } from '../support/product.js';
import { waitUntil } from '../support/wait-until.js';

let lab: Laboratory;
let product: Product;
beforeAll(async () => {
  lab = await startLaboratory(domainWithHost('company.example', { recipients: { ada: ACCEPTED, bob: ACCEPTED } }));
  product = await startProduct({
    ...laboratoryEnvironment(lab),
    NODE_OPTIONS: '--trace-deprecation',
  });
});
afterAll(async () => {
  await product?.close();
  await lab?.stop();
});

/** How Node begins what it warns of, whatever it is. */
const WARNED = /\(node:\d+\)/;

it(`the built product does its work on Node ${process.versions.node}, and Node warns of nothing`, async () => {
  const listed = await runProcess(['dist/cli', 'account', 'list', '--json'], product.environment);
  expect({ ...listed, stdout: (JSON.parse(listed.stdout) as unknown[]).length }).toEqual({
    code: 0,
    stdout: 1,
    stderr: '',
  });

  const key = await product.createKey('live');
  const [api, worker] = await Promise.all([product.startApi(), product.startWorker()]);
  const verified = await api.verify(key, { email: 'ada@company.example' });
  expect(verified).toMatchObject({ status: 200, body: { result: 'valid', reason: 'mailbox_accepts' } });

  // A build that loses types of properties would describe them otherwise.
  const document = await (await fetch(`${api.url}/openapi.json`)).text();
  expect(document).toBe(readFileSync(DOCUMENT_FILE, 'utf8'));

  const submitted = await api.post('/v1/verify/jobs', key, {
    emails: ['bob@company.example', 'carl@company.example'],
  });
  expect(submitted.status).toBe(202);
  const url = `${api.url}/v1/verify/jobs/${String(submitted.body['id'])}`;
  const read = async () =>
    (await (await fetch(url, { headers: { 'x-api-key': key } })).json()) as Record<string, unknown>;
  expect(await waitUntil(async () => (await read())['status'] === 'completed', { ms: 120_000 })).toBe(true);
  expect((await read())['results']).toMatchObject([{ result: 'valid' }, { result: 'invalid' }]);

  for (const { process: role } of [api, worker]) {
    expect(await role.stop()).toBe(0);
    expect(role.output()).not.toMatch(WARNED);
  }
});
