import { CRAWL_PARTS, FACTS_OF } from '../../src/domains/crawl/crawl-parts.js';
import type { DomainFacts } from '../../src/domains/domain-facts.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { TestAuthority } from '../support/certificates.js';
import { PolicyServer } from '../support/policy-server.js';
import { trust } from '../support/trust.js';
import {
  AUTHORITIES,
  BROKEN,
  CRAWL_CASES,
  CRAWL_DATA,
  KEY,
  listed,
  MAIL,
  SECURE,
  SECURED,
  ZONES,
} from './support/crawl-cases.js';
import { crawlerUnderTest, type CrawlerOptions, type CrawlerUnderTest } from './support/crawler-under-test.js';

let lab: Laboratory;
let policies: PolicyServer;
let distrust: () => void;
const crawlers: CrawlerUnderTest[] = [];
const authority = new TestAuthority();

function crawlerWith(options: Partial<CrawlerOptions> = {}): CrawlerUnderTest {
  const crawler = crawlerUnderTest({
    dnsServer: lab.dnsServer,
    httpsPort: policies.port,
    timeoutMs: 600,
    limits: { crawlMs: 8000, partMs: 4000 },
    ...options,
  });
  crawlers.push(crawler);
  return crawler;
}

beforeAll(async () => {
  distrust = trust(authority.certificate);
  lab = await startLaboratory({ dns: CRAWL_DATA, hosts: {} });
  const hosts = CRAWL_CASES.flatMap(({ domain, policy }) => (policy ? [[`mta-sts.${domain}`, policy] as const] : []));
  policies = await PolicyServer.start(authority, Object.fromEntries(hosts));
});
afterAll(async () => {
  for (const crawler of crawlers) crawler.close();
  await policies?.stop();
  await lab?.stop();
  distrust();
});

describe.each(CRAWL_PARTS)('%s', (name) => {
  let crawler: CrawlerUnderTest;
  beforeAll(() => {
    crawler = crawlerWith({ zones: ZONES });
  });

  it.each(CRAWL_CASES.filter((each) => each.part === name))('$when', async ({ domain, facts }) => {
    const { found, failed, unavailable } = await crawler.crawler.crawl(domain, [name]);
    expect(found).toEqual(expect.objectContaining(facts));
    expect(Object.keys(found).toSorted()).toEqual([...FACTS_OF[name]].toSorted());
    const isOpen = name === 'mail_hosts' ? facts.mx === null : Object.values(facts).every((value) => value === null);
    expect({ failed, unavailable }).toEqual({ failed: isOpen ? [name] : [], unavailable: [] });
    expect(crawler.faults).toEqual([]);
  });
});

it('every value of every fact has a case', () => {
  const values = (fact: keyof DomainFacts) =>
    new Set(CRAWL_CASES.flatMap(({ facts }) => (fact in facts ? [facts[fact]] : [])));
  const yesNo = ['mx', 'spf', 'dkim', 'dmarc', 'mtaSts', 'tlsRpt', 'bimi', 'dane', 'caa', 'mailHostListed'] as const;
  for (const fact of yesNo) expect(values(fact)).toEqual(new Set([true, false, null]));
  expect(values('dnssec')).toEqual(new Set(['secure', 'insecure', 'bogus', null]));
  expect(values('dmarcPolicy')).toEqual(new Set(['reject', 'quarantine', 'none', null]));
  expect(values('blacklists')).toEqual(new Set([0, 1, 2, null]));
});

describe('selectors of DKIM', () => {
  it('of the mail host’s provider are queried first, and no others once a key is found', async () => {
    lab.setDns('google-mail.example', { MX: [[10, 'aspmx.l.google.com']] });
    lab.setDns('google._domainkey.google-mail.example', { TXT: [KEY] });
    lab.setDns('aspmx.l.google.com', { A: ['127.1.1.1'] });
    const { found } = await crawlerWith().crawler.crawl('google-mail.example', ['dkim']);
    expect(found).toEqual({ dkim: true });
    expect(lab.dnsQueries('google._domainkey.google-mail.example')).toBe(1);
    expect(lab.dnsQueries('mbo0004._domainkey.google-mail.example')).toBe(0);
  });

  it.each([
    ['with the same texts', 'alike', { TXT: [KEY] }],
    ['with a mail host', 'wild-mail', MAIL],
  ])('are not queried one by one if a zone answers for any name %s', async (_how, name, wildcard) => {
    lab.setDns(`${name}.example`, MAIL);
    lab.setDns(`*.${name}.example`, wildcard);
    const before = lab.totalDnsQueries;
    const { found, failed } = await crawlerWith().crawler.crawl(`any.${name}.example`, ['dkim']);
    expect({ found, failed }).toEqual({ found: { dkim: null }, failed: [] });
    expect(lab.totalDnsQueries - before).toBeLessThan(12);
  });

  it('are all queried if every name has its own texts', async () => {
    lab.setDns('own-texts.example', MAIL);
    lab.setDns('*._domainkey.own-texts.example', { TXT: ['v=DKIM1; p='] });
    lab.setDns('default._domainkey.own-texts.example', { TXT: ['something else'] });
    lab.setDns('mbo0004._domainkey.own-texts.example', { TXT: [KEY] });
    const { found } = await crawlerWith().crawler.crawl('own-texts.example', ['dkim']);
    expect(found).toEqual({ dkim: true });
  });

  it('are not all queried if the domain’s servers fail', async () => {
    const before = lab.totalDnsQueries;
    lab.setDns('_domainkey.flaky.example', { fault: { servfail: true } });
    lab.setDns('flaky.example', MAIL);
    await crawlerWith().crawler.crawl('flaky.example', ['dkim']);
    expect(lab.totalDnsQueries - before).toBeLessThan(30);
  });
});

describe('blacklists', () => {
  it('that fail their self-test, refuse or are silent are ignored, and logged without a key', async () => {
    const crawler = crawlerWith({ zones: 'everything.lists.test,refuses.secretkey.lists.test,dead.lists.test' });
    const { found, failed } = await crawler.crawler.crawl('list1.example', ['blacklists']);
    expect(found).toEqual({ blacklists: null, mailHostListed: null });
    expect(failed).toEqual(['blacklists']);
    expect(crawler.listTroubles.length).toBeGreaterThan(0);
    expect(crawler.listTroubles.join()).not.toContain('secretkey');
    expect(crawler.lists.states.map(({ usable }) => usable)).toEqual([false, false, false]);
  });

  it('that answer with an error after their self-test are ignored, too', async () => {
    const crawler = crawlerWith({ zones: 'ip.lists.test,late.lists.test' });
    const { found } = await crawler.crawler.crawl('list5.example', ['blacklists']);
    expect(found).toEqual({ blacklists: 0, mailHostListed: false });
    expect(crawler.listTroubles).toEqual(['lists.test: it does not answer, or answers with an error']);
  });

  it('are not queried if none is configured, and leave nothing open', async () => {
    const before = lab.dnsQueries(`${listed('127.0.0.2')}.ip.lists.test`);
    const { found, failed } = await crawlerWith().crawler.crawl('list2.example', ['blacklists']);
    expect({ found, failed }).toEqual({ found: { blacklists: null, mailHostListed: null }, failed: [] });
    expect(lab.dnsQueries(`${listed('127.0.0.2')}.ip.lists.test`)).toBe(before);
  });

  it('are queried once about a shared mail host, and tested once', async () => {
    const { crawler } = crawlerWith({ zones: 'ip.lists.test' });
    const before = lab.dnsQueries(`${listed('127.1.1.1')}.ip.lists.test`);
    const tests = lab.dnsQueries(`${listed('127.0.0.2')}.ip.lists.test`);
    for (const domain of ['spf1.example', 'dkim1.example', 'caa1.example']) {
      lab.setDns(domain, MAIL);
      await crawler.crawl(domain, ['blacklists']);
    }
    expect(lab.dnsQueries(`${listed('127.1.1.1')}.ip.lists.test`) - before).toBe(1);
    expect(lab.dnsQueries(`${listed('127.0.0.2')}.ip.lists.test`) - tests).toBe(1);
  });
});

describe('a resolver that does not validate', () => {
  beforeAll(() => lab.setDns('.', {}));
  afterAll(() => lab.setDns('.', SECURE));

  it('gives no DNSSEC or DANE facts, without a failure', async () => {
    const { crawler, validation } = crawlerWith();
    for (const domain of ['sec1.example', 'sec3.example', 'dane1.example']) {
      const { found, failed, unavailable } = await crawler.crawl(domain, ['dnssec', 'dane']);
      expect(found).toMatchObject({ dnssec: null, dane: null });
      expect([failed, unavailable]).toEqual([[], []]);
    }
    expect(validation.last).toBe(false);
  });
});

it('a resolver that is down gives no facts of the domain', async () => {
  const { crawler } = crawlerWith({ dnsServer: '127.0.0.1:9', timeoutMs: 200, zones: ZONES });
  expect(await crawler.crawl('spf1.example')).toEqual({ found: {}, failed: [], unavailable: [...CRAWL_PARTS] });
});

it('a private address of a policy host is never connected to', async () => {
  const before = policies.connections;
  const { found } = await crawlerWith({ allowPrivateNetworks: false }).crawler.crawl('sts1.example', ['mta_sts']);
  expect(found).toEqual({ mtaSts: false });
  expect(policies.connections).toBe(before);
});

it('a failed part is null, and the others are complete', async () => {
  lab.setDns('mixed.example', { ...SECURED, TXT: ['v=spf1 -all'], ...AUTHORITIES });
  lab.setDns('_dmarc.mixed.example', BROKEN);
  lab.setDns('_mta-sts.mixed.example', { fault: { silent: true } });
  const { found, failed } = await crawlerWith().crawler.crawl('mixed.example');
  expect(failed).toEqual(['dmarc', 'mta_sts']);
  expect(found).toEqual({
    mx: true,
    nullMx: false,
    mailHosts: ['mx.mail.test'],
    nameServers: [],
    addresses: [],
    spf: true,
    dmarc: null,
    dmarcPolicy: null,
    dkim: false,
    mtaSts: null,
    tlsRpt: false,
    bimi: false,
    dane: false,
    dnssec: 'secure',
    caa: true,
    blacklists: null,
    mailHostListed: null,
  });
});

it('a crawl that is stopped ends at once', async () => {
  const stop = new AbortController();
  lab.setDns('silent.example', { fault: { silent: true } });
  const running = crawlerWith({ timeoutMs: 20_000, limits: { crawlMs: 30_000, partMs: 20_000 } });
  const began = performance.now();
  const crawling = running.crawler.crawl('silent.example', CRAWL_PARTS, stop.signal);
  stop.abort();
  await crawling;
  expect(performance.now() - began).toBeLessThan(15_000);
});
