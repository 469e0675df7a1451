import { Deadline } from '../deadline.js';
import type { MailHostsFinding } from './mail-hosts.js';
import { RememberedMailHosts } from './remembered-mail-hosts.js';

const host = (name: string, preference = 10) => ({ name, preference, addresses: ['192.0.2.1'] });
const found = (over: Partial<MailHostsFinding & { kind: 'found' }> = {}): MailHostsFinding => {
  const hosts = over.hosts ?? [host('mx.example.com')];
  const exchanges = hosts.map(({ name }) => name);
  return { kind: 'found', hosts, exchanges, primary: exchanges[0]!, ttlSeconds: 60, ...over };
};

/** A cache in front of a counting finder, on a clock of the test. */
function setUp(finding: MailHostsFinding, random?: () => number) {
  const clock = { now: 0 };
  const state = { finding, asked: 0 };
  const hosts = new RememberedMailHosts(
    {
      findMailHosts: async () => {
        state.asked++;
        return state.finding;
      },
    },
    { maxEntries: 10, now: () => clock.now, ...(random && { random }) },
  );
  const deadline = Deadline.after(1000);
  const find = (domain = 'example.com') => hosts.findMailHosts(domain, { deadline });
  return { clock, state, find, traced: () => hosts.findMailHosts('example.com', { deadline, trace: () => undefined }) };
}

it('answers from the cache with the remaining TTL', async () => {
  const { clock, state, find } = setUp(found());
  expect(await find()).toEqual(found());
  clock.now = 20_000;
  expect(await find()).toEqual(found({ ttlSeconds: 40 }));
  expect(state.asked).toBe(1);
});

it('asks again when the shortest TTL ends, and for another domain', async () => {
  const { clock, state, find } = setUp(found());
  await find();
  await find('other.example.com');
  expect(state.asked).toBe(2);
  clock.now = 60_000;
  state.finding = found({ hosts: [host('new.example.com')] });
  expect(await find()).toMatchObject({ primary: 'new.example.com' });
});

it('caches that there is no mail host', async () => {
  const none: MailHostsFinding = { kind: 'none', why: 'nxdomain', ttlSeconds: 30 };
  const { state, find } = setUp(none);
  expect([await find(), await find()]).toEqual([none, none]);
  expect(state.asked).toBe(1);
});

it.each<[string, MailHostsFinding]>([
  ['a failure of the domain', { kind: 'broken', why: 'servfail' }],
  ['a failure of our own', { kind: 'unavailable', why: 'timeout' }],
  ['hosts of which one was left out', found({ exchanges: ['mx.example.com', 'slow.example.com'] })],
  ['what may not be kept', found({ ttlSeconds: 0 })],
])('does not remember %s', async (_, finding) => {
  const { state, find } = setUp(finding);
  await find();
  await find();
  expect(state.asked).toBe(2);
});

it('shuffles only hosts of equal preference', async () => {
  const lots = [0.9, 0.1, 0.5];
  const hosts = [host('a.example.com'), host('b.example.com'), host('c.example.com', 20)];
  const { find } = setUp(found({ hosts }), () => lots.shift()!);
  await find();
  const names = ['b.example.com', 'a.example.com', 'c.example.com'];
  const again = await find();
  expect(again).toMatchObject({ exchanges: names, primary: 'a.example.com' });
  expect(again.kind === 'found' && again.hosts.map(({ name }) => name)).toEqual(names);
});

it('bypasses the cache for a traced check', async () => {
  const { state, find, traced } = setUp(found());
  await find();
  await traced();
  expect(state.asked).toBe(2);
});
