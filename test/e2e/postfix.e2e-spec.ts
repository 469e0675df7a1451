import { postfixHosts } from '../mta/support/postfix-hosts.js';
import { postfixTask } from '../mta/support/postfix.js';
import { RealServers } from '../mta/support/real-servers.js';
import { unpackedServers } from '../mta/support/unpacked-servers.js';
import { startProduct, type Product, type RunningApi } from '../support/product.js';

jest.setTimeout(90_000);

const unpacked = unpackedServers();

(unpacked === null ? describe.skip : describe)('the built service against a real Postfix, over a real resolver', () => {
  let servers: RealServers | undefined;
  let product: Product | undefined;
  let api: RunningApi;
  let key: string;

  beforeAll(async () => {
    servers = await RealServers.start(unpacked ?? '', ({ places, tree }) => {
      const { domains, listeners, at } = postfixHosts(places, { company: {} });
      const settings = {
        mydestination: 'company.test',
        local_recipient_maps: 'inline:{ ada=x }',
        smtpd_relay_restrictions: 'reject_unauth_destination',
      };
      return { domains, servers: [{ task: postfixTask(tree, { settings, listeners }), at }] };
    });
    product = await startProduct(servers.environment);
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
});
