import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeCrawl } from '../../src/domains/crawl/merge-crawl.js';
import { toDomainObject } from '../../src/domains/domain-object.js';
import type { DomainObject } from '../../src/domains/domain.response.js';
import { toDomainRecord } from '../../src/domains/store/domain-record.js';
import { loadSignalLists } from '../../src/engine/signals/load-signal-lists.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import { crawlerUnderTest, type CrawlerUnderTest } from '../domains/support/crawler-under-test.js';
import { dkimRecord } from '../domains/support/dkim-record.js';
import { TestAuthority } from '../support/certificates.js';
import { PolicyServer } from '../support/policy-server.js';
import { startProduct, type Product } from '../support/product.js';
import { trust } from '../support/trust.js';
import { waitUntil } from '../support/wait-until.js';
import { describeWithServers } from './support/with-servers.js';

const ZONES = 'ip.lists.test,names.lists.test=domain';
const TLSA = `3 1 1 ${'ab'.repeat(32)}`;
/** Strings of a TXT record hold 255 octets at most. */
const KEY = (dkimRecord().match(/.{1,200}/g) ?? []).map((piece) => `"${piece}"`).join(' ');

/** A zone with everything that a domain can have. */
function everything(domain: string, policies: string): readonly string[] {
  return [
    '@ MX 10 mx',
    'mx A 127.1.1.1',
    `_25._tcp.mx TLSA ${TLSA}`,
    '@ TXT "v=spf1 mx -all"',
    '@ A 127.1.1.2',
    'www A 127.1.1.2',
    '@ CAA 0 issue "ca.test"',
    '_dmarc TXT "v=DMARC1; p=reject; sp=quarantine"',
    `selector1._domainkey TXT ${KEY}`,
    '_mta-sts TXT "v=STSv1; id=1"',
    `mta-sts A ${policies}`,
    '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@rpt.test"',
    'default._bimi TXT "v=BIMI1; l=https://logo.test/l.svg"',
    `below MX 10 mx.${domain}.`,
  ];
}

/** Domains of the unsigned zone `test.`, by what they have. */
const RECORDS = [
  'bare MX 10 mx.bare',
  'mx.bare A 127.1.1.1',
  'none MX 10 mx.bare',
  '_dmarc.none TXT "v=DMARC1; p=none"',
  'quarantine MX 10 mx.bare',
  '_dmarc.quarantine TXT "v=DMARC1; p=quarantine"',
  `_25._tcp.mx.bare TLSA ${TLSA}`,
  'forged MX 10 mx.bare',
  'forged TXT "v=spf1 -all"',
  'lame NS ns.lame',
  'ns.lame A 127.31.53.53',
  'listed MX 10 mx.listed',
  'mx.listed A 127.1.1.3',
  'worse MX 10 mx.listed',
  // The lists themselves.
  '2.0.0.127.ip.lists A 127.0.0.2',
  '3.1.1.127.ip.lists A 127.0.0.2',
  'test.names.lists A 127.0.0.2',
  'worse.test.names.lists A 127.0.0.2',
];
const STS_DOMAINS = {
  'expired.test': 'expired',
  'wrong-name.test': 'wrong_name',
  'nobodys.test': 'unknown_authority',
} as const;

describeWithServers(
  'a crawl of domains on Knot, behind Unbound, with policies on an HTTPS server',
  ({ places }) => {
    const policies = places.address('policies.test');
    const mailZones = ['com', 'net', 'edu', 'gov'];
    return {
      domains: {},
      records: [
        ...RECORDS,
        ...Object.keys(STS_DOMAINS).flatMap((domain) => [
          `${domain}. MX 10 mx.bare`,
          `_mta-sts.${domain}. TXT "v=STSv1; id=1"`,
          `mta-sts.${domain}. A ${policies}`,
        ]),
      ],
      zones: {
        '.': ['test', ...mailZones].map((zone) => `${zone} NS ns.test.`),
        com: ['gmail MX 10 mx.bare.test.', 'mailinator MX 10 mx.bare.test.'],
        net: ['comcast MX 10 mx.bare.test.'],
        edu: ['school MX 10 mx.bare.test.'],
        gov: ['agency MX 10 mx.bare.test.'],
        'best.test': everything('best.test', policies),
        'parked.test': ['@ NS ns1.sedoparking.com.', '@ MX 10 mx.listed.test.'],
      },
      signed: ['.', 'best.test'],
      brokenSignatures: [`forged.test. DS 12345 13 2 ${'0'.repeat(64)}`],
      servers: [],
    };
  },
  (bench) => {
    const authority = new TestAuthority();
    let policies: PolicyServer;
    let running: CrawlerUnderTest;
    let distrust: () => void;

    beforeAll(async () => {
      distrust = trust(authority.certificate);
      const { places } = bench().servers;
      const hosts = Object.entries(STS_DOMAINS).map(([domain, certificate]) => [`mta-sts.${domain}`, { certificate }]);
      const at = { address: places.address('policies.test'), port: places.port };
      policies = await PolicyServer.start(authority, Object.fromEntries(hosts), at);
      running = crawlerUnderTest({
        dnsServer: places.endpoint('resolver'),
        httpsPort: places.port,
        timeoutMs: 3000,
        zones: ZONES,
      });
    });
    afterAll(async () => {
      running?.close();
      await policies?.stop();
      distrust?.();
    });

    async function crawled(domain: string, blocked: { label: string | null } | null = null): Promise<DomainObject> {
      const { facts } = mergeCrawl(domain, null, await running.crawler.crawl(domain));
      if (facts === null) throw new Error(`nothing was found out about ${domain}`);
      const record = toDomainRecord(facts, { lists: loadSignalLists(), findProvider });
      return toDomainObject(record.facts, record, blocked);
    }

    const BEST: DomainObject = {
      name: 'best.test',
      types: ['company'],
      score: 100,
      spf: true,
      dkim: true,
      dmarc: true,
      dmarc_policy: 'reject',
      mta_sts: true,
      tls_rpt: true,
      bimi: true,
      dane: true,
      blacklists: 0,
      dnssec: 'secure',
      caa: true,
      blocked: false,
      blocked_label: null,
    };
    const NOTHING: Partial<DomainObject> = {
      types: null,
      score: null,
      spf: null,
      dkim: null,
      dmarc: null,
      dmarc_policy: null,
      mta_sts: null,
      tls_rpt: null,
      bimi: null,
      dane: null,
      blacklists: null,
      caa: null,
    };

    it.each<[string, string, Partial<DomainObject>]>([
      ['has everything', 'best.test', BEST],
      [
        'has only a mail host',
        'bare.test',
        {
          types: ['custom'],
          spf: false,
          dkim: false,
          dmarc: false,
          dmarc_policy: null,
          mta_sts: false,
          tls_rpt: false,
          bimi: false,
          dane: false,
          blacklists: 0,
          dnssec: 'insecure',
          caa: false,
        },
      ],
      ['asks for nothing in its DMARC record', 'none.test', { dmarc: true, dmarc_policy: 'none' }],
      ['quarantines', 'quarantine.test', { dmarc: true, dmarc_policy: 'quarantine' }],
      [
        'stands below one that has everything',
        'below.best.test',
        { dmarc: true, dmarc_policy: 'quarantine', caa: true, dane: true, bimi: true, spf: false, dnssec: 'secure' },
      ],
      [
        'does not exist in a signed zone',
        'gone.best.test',
        { spf: false, dnssec: 'secure', dmarc_policy: 'quarantine' },
      ],
      ['has signatures that are broken', 'forged.test', { ...NOTHING, dnssec: 'bogus' }],
      ['has name servers that are down', 'lame.test', { ...NOTHING, dnssec: null }],
      ['has a policy host whose certificate has expired', 'expired.test', { mta_sts: false }],
      ['has a policy host with a certificate for another name', 'wrong-name.test', { mta_sts: false }],
      ['has a policy host whose certificate is nobody’s', 'nobodys.test', { mta_sts: false }],
      ['has a mail host on a blacklist', 'listed.test', { blacklists: 1 }],
      ['has its name and its mail host on blacklists', 'worse.test', { blacklists: 2 }],
      ['is freemail', 'gmail.com', { types: ['freemail', 'public'] }],
      ['is disposable', 'mailinator.com', { types: ['disposable', 'public'] }],
      ['is an access provider’s', 'comcast.net', { types: ['freemail', 'isp', 'public'] }],
      ['is a school’s', 'school.edu', { types: ['education'] }],
      ['is an authority’s', 'agency.gov', { types: ['government'] }],
    ])('a domain that %s', async (_, domain, expected) => {
      const object = await crawled(domain);
      expect(object).toEqual({ ...object, ...expected, name: domain });
      expect(running.faults).toEqual([]);
    });

    it('a domain that is blocked', async () => {
      expect(await crawled('best.test', { label: 'phishing' })).toEqual({
        ...BEST,
        score: 0,
        blocked: true,
        blocked_label: 'phishing',
      });
    });

    it('a parked domain whose mail host is on a blacklist is suspected as a spam trap', async () => {
      const { facts } = mergeCrawl('parked.test', null, await running.crawler.crawl('parked.test'));
      expect(toDomainRecord(facts!, { lists: loadSignalLists(), findProvider })).toMatchObject({
        parked: true,
        suspectedTrap: true,
      });
    });

    it('the resolver validates, and both blacklists work', () => {
      expect(running.validation.last).toBe(true);
      expect(running.lists.states.map(({ usable }) => usable)).toEqual([true, true]);
    });

    describe('with the built worker, which trusts the authority through NODE_EXTRA_CA_CERTS', () => {
      let product: Product;
      const folder = mkdtempSync(join(tmpdir(), 'mailvet-ca-'));
      beforeAll(async () => {
        const file = join(folder, 'ca.pem');
        writeFileSync(file, authority.certificate);
        const { environment, places } = bench().servers;
        product = await startProduct({ ...environment, HTTPS_PORT: String(places.port), DNSBL_ZONES: ZONES });
        await product.startWorker({ NODE_EXTRA_CA_CERTS: file });
      });
      afterAll(async () => {
        await product?.close();
        rmSync(folder, { recursive: true, force: true });
      });

      it('appears in results within seconds of its first call', async () => {
        const key = await product.createKey('live');
        const api = await product.startApi();
        const ask = async (domain: string) =>
          (await api.verify(key, { email: `anna@${domain}`, mode: 'quick' })).body['domain'] as DomainObject | null;
        expect(await ask('best.test')).toBeNull();
        expect(await waitUntil(() => ask('best.test'), { ms: 60_000, everyMs: 200 })).toEqual(BEST);
        expect(await waitUntil(() => ask('expired.test'), { ms: 60_000, everyMs: 200 })).toMatchObject({
          mta_sts: false,
        });
      });
    });
  },
);
