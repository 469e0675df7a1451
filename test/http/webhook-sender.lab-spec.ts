import { parseDnsServers } from '../../src/engine/dns/dns-servers.js';
import { DeliverySender, type Attempt } from '../../src/webhooks/delivery/delivery-sender.js';
import { DnsServer } from '../lab/dns/dns-server.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let dns: DnsServer;
let receiver: WebhookReceiver;
const senders: DeliverySender[] = [];
beforeAll(async () => {
  [dns, receiver] = await Promise.all([DnsServer.start({}, '127.0.0.1'), WebhookReceiver.start()]);
});
afterEach(() => {
  for (const sender of senders.splice(0)) sender.onApplicationShutdown();
});
afterAll(async () => {
  await dns?.stop();
  await receiver?.stop();
});

function newSender(allowPrivateNetworks: boolean): DeliverySender {
  const servers = parseDnsServers(`127.0.0.1:${dns.port}`);
  const sender = new DeliverySender({ dns: { servers, timeoutMs: 1000 }, smtp: { allowPrivateNetworks } });
  senders.push(sender);
  return sender;
}
const send = (sender: DeliverySender, url: string, stop = new AbortController().signal): Promise<Attempt> =>
  sender.send({ url, headers: { 'webhook-id': 'one' }, body: '{}' }, stop);

describe('a sender outside of a laboratory', () => {
  it.each([
    ['a private address', { A: ['127.0.0.1'] }],
    ['only private addresses', { A: ['10.0.0.1', '127.0.0.1'], AAAA: ['::1', 'fd00::1'] }],
  ])('never connects to a name with %s', async (_, data) => {
    dns.replaceData({ 'hooks.example': data });
    const attempt = await send(newSender(false), `https://hooks.example:${receiver.port}/`);
    expect(attempt).toMatchObject({ kind: 'unanswered', fault: 'forbidden_address', ours: false });
    expect(receiver.connections).toBe(0);
  });

  it('does not follow a name that is public first and private then', async () => {
    const sender = newSender(false);
    const url = `https://hooks.example:${receiver.port}/`;
    dns.replaceData({ 'hooks.example': { A: ['192.0.43.7'], ttl: 0 } });
    // Aborted before the connection: what counts is that the name was looked up and cleared.
    const stop = new AbortController();
    const asked = dns.totalQueries;
    const first = send(sender, url, stop.signal);
    while (dns.totalQueries === asked) await new Promise(setImmediate);
    stop.abort();
    expect(await first).toMatchObject({ kind: 'unanswered', fault: 'interrupted' });
    dns.replaceData({ 'hooks.example': { A: ['127.0.0.1'], ttl: 0 } });
    expect(await send(sender, url)).toMatchObject({ kind: 'unanswered', fault: 'forbidden_address' });
    expect(receiver.connections).toBe(0);
  });

  it('does not send to an endpoint of a laboratory', async () => {
    expect(await send(newSender(false), receiver.url)).toMatchObject({ fault: 'bad_url' });
    expect(await send(newSender(false), 'https://hooks..example.com/')).toMatchObject({ fault: 'bad_url' });
    expect(await send(newSender(false), `https://127.0.0.1:${receiver.port}/`)).toMatchObject({ fault: 'bad_url' });
    expect(receiver.connections).toBe(0);
  });
});

describe('a sender', () => {
  it('says what is wrong with a name', async () => {
    dns.replaceData({ 'empty.example': { TXT: ['nothing'] }, 'broken.example': { fault: { servfail: true } } });
    const sender = newSender(true);
    expect(await send(sender, 'https://missing.example/')).toMatchObject({ fault: 'no_address', ours: false });
    expect(await send(sender, 'https://empty.example/')).toMatchObject({ fault: 'no_address' });
    expect(await send(sender, 'https://broken.example/')).toMatchObject({ fault: 'dns' });
  });

  it('connects by the address of the name, and names it in Host', async () => {
    dns.replaceData({ 'hooks.example': { A: ['127.0.0.1'] } });
    // The certificate is nobody's: the connection was made, and nothing was sent.
    const before = receiver.connections;
    expect(await send(newSender(true), `https://hooks.example:${receiver.port}/`)).toMatchObject({
      fault: 'no_answer',
    });
    expect([receiver.connections - before, receiver.received]).toEqual([1, []]);
    expect(await send(newSender(true), receiver.url)).toMatchObject({ kind: 'answered', status: 204 });
    expect(receiver.received).toMatchObject([{ headers: { host: `127.0.0.1:${receiver.port}` }, body: '{}' }]);
  });

  it('gives a receiver that does not answer fifteen seconds', async () => {
    const silent = await WebhookReceiver.start(() => undefined);
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'Date'] });
    try {
      let isOver = false;
      const sending = send(newSender(true), silent.url).finally(() => (isOver = true));
      while (silent.received.length === 0) await new Promise(setImmediate);
      await jest.advanceTimersByTimeAsync(14_999);
      expect(isOver).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      jest.useRealTimers();
      expect(await waitUntil(() => Promise.resolve(isOver), { ms: 20_000 })).toBe(true);
      expect(await sending).toMatchObject({ kind: 'unanswered', fault: 'timeout', ours: false });
    } finally {
      jest.useRealTimers();
      await silent.stop();
    }
  });
});
