import { postfixHosts } from '../mta/support/postfix-hosts.js';
import { postfixTask } from '../mta/support/postfix.js';
import { postgreyTask } from '../mta/support/postgrey.js';
import { RealServers } from '../mta/support/real-servers.js';
import { unpackedServers } from '../mta/support/unpacked-servers.js';
import { waitUntil } from '../support/wait-until.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';

/** How long postgrey puts a first attempt off. */
const GREYLISTED_SECONDS = 2;
const unpacked = unpackedServers();

(unpacked === null ? describe.skip : describe)('the built service against a real Postfix, over a real resolver', () => {
  let servers: RealServers | undefined;
  let product: Product | undefined;
  let api: RunningApi;
  let key: string;

  beforeAll(async () => {
    servers = await RealServers.start(unpacked ?? '', ({ places, tree }) => {
      const { domains, listeners, at } = postfixHosts(places, {
        company: {},
        careful: { settings: { smtpd_recipient_restrictions: 'check_policy_service inet:$postgrey' } },
      });
      const settings = {
        mydestination: Object.keys(domains).join(', '),
        local_recipient_maps: 'inline:{ ada=x }',
        smtpd_relay_restrictions: 'reject_unauth_destination',
        postgrey: places.endpoint('postgrey'),
      };
      const listen = { address: places.address('postgrey'), port: places.port };
      return {
        domains,
        servers: [
          { task: postgreyTask(tree, { listen, delaySeconds: GREYLISTED_SECONDS }), at: ['postgrey'] },
          { task: postfixTask(tree, { settings, listeners }), at },
        ],
      };
    });
    product = await startProduct({ ...servers.environment, GREYLIST_RETRY_MS: '3000' });
    key = await product.createKey('live');
    api = await product.startApi();
  });
  afterAll(async () => {
    await product?.close();
    await servers?.stop();
  });

  it.each<[string, object, object]>([
    [
      'accepts a recipient',
      { email: 'ada@company.test' },
      { result: 'valid', reason: 'mailbox_accepts', deliverable: true, mx: true, mx_record: 'mx.company.test' },
    ],
    [
      'rejects a recipient',
      { email: 'nemo@company.test' },
      { result: 'invalid', reason: 'mailbox_not_found', deliverable: false, mx: true },
    ],
    [
      'rejects a random recipient beside one it accepts',
      { email: 'ada@company.test', mode: 'enhanced' },
      { result: 'valid', catch_all: false, smtp_diagnosis: 'accepted' },
    ],
  ])('when it %s', async (_when, request, expected) => {
    const { status, body } = await api.verify(key, request);
    expect({ status, body }).toMatchObject({ status: 200, body: expected });
  });

  it('when it greylists: is retried automatically, and settled without another request', async () => {
    await product!.startWorker();
    const email = 'ada@careful.test';
    expect((await api.verify(key, { email })).body).toMatchObject({ result: 'unknown', reason: 'greylisted' });
    // An async call never asks a mail host itself.
    const settled = await waitUntil(
      async () => {
        const { body } = await api.verify(key, { email, async: true });
        return body['reason'] === 'mailbox_accepts' && body;
      },
      { ms: 60_000, everyMs: 250 },
    );
    expect(settled).toMatchObject({ result: 'valid', deliverable: true, freshness: 'cached_recent' });
  });
});
