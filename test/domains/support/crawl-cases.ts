import type { CrawlPart } from '../../../src/domains/crawl/crawl-parts.js';
import type { DomainFacts } from '../../../src/domains/domain-facts.js';
import type { DnsData, DnsEntry } from '../../lab/dns/dns-data.js';
import type { PolicyHost } from '../../support/policy-server.js';
import { dkimRecord } from './dkim-record.js';

type Facts = Partial<DomainFacts>;

/** One domain: its records by what stands in front of its name (`@`: nothing), and what has to be found out. */
export interface CrawlCase {
  readonly part: CrawlPart;
  /** The end of a sentence that begins with the part. */
  readonly when: string;
  readonly domain: string;
  readonly records: Readonly<Record<string, DnsEntry>>;
  readonly facts: Facts;
  readonly policy?: PolicyHost;
}

export const KEY = dkimRecord();
export const SECURE = { secure: true };
export const BROKEN = { fault: { servfail: true } };
const TLSA = { usage: 3, selector: 1, matchingType: 1, certificate: 'ab'.repeat(32) };
const STS = { TXT: ['v=STSv1; id=20260101'] };
/** Where the policy server is. */
const HERE = { A: ['127.0.0.1'] };
export const MAIL = { MX: [[10, 'mx.mail.test']] } as const;

const cases: CrawlCase[] = [];
function part(name: CrawlPart, label: string) {
  let count = 0;
  return (
    when: string,
    records: Readonly<Record<string, DnsEntry>>,
    facts: Facts,
    { at, policy }: { readonly at?: string; readonly policy?: PolicyHost } = {},
  ): void => {
    count += 1;
    const domain = at ?? `${label}${count}.example`;
    cases.push({ part: name, when, domain, records, facts, ...(policy && { policy }) });
  };
}

const mail = part('mail_hosts', 'mail');
mail('has a mail host', { '@': MAIL }, { mx: true, nullMx: false, mailHosts: ['mx.mail.test'] });
mail(
  'has several, best first',
  {
    '@': {
      MX: [
        [20, 'mx2.mail.test'],
        [10, 'mx.mail.test'],
      ],
    },
  },
  { mx: true, nullMx: false, mailHosts: ['mx.mail.test', 'mx2.mail.test'] },
);
mail('says that it takes none', { '@': { MX: [[0, '.']] } }, { mx: false, nullMx: true, mailHosts: [] });
mail('is its own mail host', { '@': { A: ['127.9.9.9'] } }, { mx: true, nullMx: false, mailHosts: ['mail4.example'] });
mail('has neither', { '@': { TXT: ['nothing'] } }, { mx: false, nullMx: false, mailHosts: [] });
mail('does not exist', {}, { mx: false, nullMx: false, mailHosts: [] });
mail(
  'names only hosts that do not exist',
  { '@': { MX: [[10, 'gone.test']] } },
  { mx: false, mailHosts: ['gone.test'] },
);
mail('cannot be looked up', { '@': BROKEN }, { mx: null, nullMx: null, mailHosts: null });
mail(
  'names a host that cannot be looked up',
  { '@': { MX: [[10, 'mx.broken.test']] } },
  { mx: null, nullMx: false, mailHosts: ['mx.broken.test'] },
);

const servers = part('name_servers', 'ns');
servers('are named', { '@': { NS: ['ns1.test', 'ns2.test'] } }, { nameServers: ['ns1.test', 'ns2.test'] });
servers('are none below a zone’s top', { '@': MAIL }, { nameServers: [] });
servers('cannot be looked up', { '@': { fault: { types: ['NS'], servfail: true } } }, { nameServers: null });

const web = part('addresses', 'web');
web(
  'are those of the domain and of www, each once',
  { '@': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] }, www: { A: ['192.0.2.1', '192.0.2.2'] } },
  { addresses: ['192.0.2.1', '2001:db8::1', '192.0.2.2'] },
);
web('are none', { '@': MAIL }, { addresses: [] });
web('cannot all be looked up', { '@': { A: ['192.0.2.1'] }, www: BROKEN }, { addresses: null });

const spf = part('spf', 'spf');
spf('is there', { '@': { TXT: ['something else', 'v=spf1 mx -all'] } }, { spf: true });
spf('is not', { '@': { TXT: ['something else'] } }, { spf: false });
spf('is there twice, which is none', { '@': { TXT: ['v=spf1 -all', 'v=spf1 mx -all'] } }, { spf: false });
spf('is in pieces', { '@': { TXT: [['v=spf1 include:_spf.exam', 'ple.test -all']] } }, { spf: true });
spf('of a domain that does not exist is none', {}, { spf: false });
spf('cannot be looked up', { '@': BROKEN }, { spf: null });

const dmarc = part('dmarc', 'dmarc');
const record = (text: string): Readonly<Record<string, DnsEntry>> => ({ '@': MAIL, _dmarc: { TXT: [text] } });
dmarc('rejects', record('v=DMARC1; p=reject'), { dmarc: true, dmarcPolicy: 'reject' });
dmarc('quarantines', record('v=DMARC1; p=quarantine; t=y'), { dmarc: true, dmarcPolicy: 'quarantine' });
dmarc('asks for nothing', record('v=DMARC1; p=none'), { dmarc: true, dmarcPolicy: 'none' });
dmarc('is not there', { '@': MAIL }, { dmarc: false, dmarcPolicy: null });
dmarc('cannot be looked up', { '@': MAIL, _dmarc: BROKEN }, { dmarc: null, dmarcPolicy: null });
dmarc(
  'is the organisation’s',
  { a: MAIL, _dmarc: { TXT: ['v=DMARC1; p=reject; sp=quarantine'] } },
  {
    dmarc: true,
    dmarcPolicy: 'quarantine',
  },
  { at: 'a.dmarc6.example' },
);
dmarc(
  'is the organisation’s for names that do not exist',
  { _dmarc: { TXT: ['v=DMARC1; p=none; np=reject'] } },
  {
    dmarc: true,
    dmarcPolicy: 'reject',
  },
  { at: 'gone.dmarc7.example' },
);

const dkim = part('dkim', 'dkim');
dkim('has a key at a usual selector', { '@': MAIL, 'selector1._domainkey': { TXT: [KEY] } }, { dkim: true });
dkim('has one at the last selector asked for', { '@': MAIL, 'mbo0004._domainkey': { TXT: [KEY] } }, { dkim: true });
dkim('has one behind an alias', { '@': MAIL, 'k1._domainkey': { CNAME: 'key.mail.test' } }, { dkim: true });
dkim('has none at the usual selectors', { '@': MAIL, 'unusual._domainkey': { TXT: [KEY] } }, { dkim: false });
dkim('has withdrawn it', { '@': MAIL, 'default._domainkey': { TXT: ['v=DKIM1; p='] } }, { dkim: false });
dkim(
  'has a key beside what it answers for every name',
  { '@': MAIL, '*': { TXT: ['v=spf1 -all'] }, 'default._domainkey': { TXT: [KEY] } },
  { dkim: true },
);
dkim('of a domain that does not exist has none', {}, { dkim: false });
dkim('cannot be looked up', { '@': MAIL, _domainkey: BROKEN }, { dkim: null });
dkim('cannot be looked up at one selector', { '@': MAIL, 'fm3._domainkey': BROKEN }, { dkim: null });
dkim(
  'has a key, whatever fails beside it',
  { '@': MAIL, 'default._domainkey': BROKEN, 'dkim._domainkey': { TXT: [KEY] } },
  {
    dkim: true,
  },
);

const sts = part('mta_sts', 'sts');
const fetched = (when: string, mtaSts: boolean | null, policy: PolicyHost = {}): void =>
  sts(when, { '@': MAIL, '_mta-sts': STS, 'mta-sts': HERE }, { mtaSts }, { policy });
fetched('has a policy', true);
fetched('has one in testing', true, { answer: 'version: STSv1\nmode: testing\nmx: *.mail.test\nmax_age: 60\n' });
fetched('has one that is withdrawn', false, { answer: 'version: STSv1\nmode: none\nmax_age: 60\n' });
fetched('has a file that is none', false, { answer: 'hello' });
fetched('has a file that is too large', false, { answer: `version: STSv1\n${'x'.repeat(70_000)}` });
fetched('has no file', false, { answer: (response) => void response.writeHead(404).end() });
fetched('has a file of another kind', false, {
  answer: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('version: STSv1'),
});
fetched('has one elsewhere, which is not followed', false, {
  answer: (response) => void response.writeHead(302, { location: 'https://mta-sts.sts1.example/' }).end(),
});
fetched('has an expired certificate', false, { certificate: 'expired' });
fetched('has a certificate for another name', false, { certificate: 'wrong_name' });
fetched('has a certificate of nobody', false, { certificate: 'unknown_authority' });
fetched('has a server in trouble', null, { answer: (response) => void response.writeHead(503).end() });
fetched('has a server that is silent', null, { answer: () => undefined });
fetched('has a server that breaks off', null, { answer: (response) => void response.destroy() });
sts('is not announced', { '@': MAIL, 'mta-sts': HERE }, { mtaSts: false });
sts('is announced wrongly', { '@': MAIL, '_mta-sts': { TXT: ['v=STSv1; id=no good'] } }, { mtaSts: false });
sts('is announced without a host', { '@': MAIL, '_mta-sts': STS }, { mtaSts: false });
sts('has a host that refuses', { '@': MAIL, '_mta-sts': STS, 'mta-sts': { A: ['127.0.0.9'] } }, { mtaSts: null });
sts('has a host that cannot be looked up', { '@': MAIL, '_mta-sts': STS, 'mta-sts': BROKEN }, { mtaSts: null });
sts('cannot be looked up', { '@': MAIL, '_mta-sts': BROKEN }, { mtaSts: null });

const report = part('tls_rpt', 'rpt');
const rpt = (text: string) => ({ '@': MAIL, '_smtp._tls': { TXT: [text] } });
report('names an address', rpt('v=TLSRPTv1; rua=mailto:tls@rpt.test'), { tlsRpt: true });
report('names none', rpt('v=TLSRPTv1;'), { tlsRpt: false });
report('is not there', { '@': MAIL }, { tlsRpt: false });
report('cannot be looked up', { '@': MAIL, '_smtp._tls': BROKEN }, { tlsRpt: null });

const bimi = part('bimi', 'bimi');
const logo = { TXT: ['v=BIMI1; l=https://logo.test/l.svg'] };
bimi('is there', { '@': MAIL, 'default._bimi': logo }, { bimi: true });
bimi('is declined', { '@': MAIL, 'default._bimi': { TXT: ['v=BIMI1; l=; a='] } }, { bimi: false });
bimi('is not there', { '@': MAIL }, { bimi: false });
bimi('is the organisation’s', { a: MAIL, 'default._bimi': logo }, { bimi: true }, { at: 'a.bimi4.example' });
bimi('cannot be looked up', { '@': MAIL, 'default._bimi': BROKEN }, { bimi: null });

const dane = part('dane', 'dane');
export const SECURED = { ...MAIL, ...SECURE };
const own = (host: string): DnsEntry => ({ MX: [[10, host]], ...SECURE });
dane(
  'has usable records of the mail host',
  { '@': own('mx.dane1.example'), mx: HERE, '_25._tcp.mx': { TLSA: [TLSA], ...SECURE } },
  {
    dane: true,
  },
);
dane(
  'has records that nobody signed',
  { '@': own('mx.dane2.example'), mx: HERE, '_25._tcp.mx': { TLSA: [TLSA] } },
  {
    dane: false,
  },
);
dane(
  'has records, but nobody signed where the mail goes',
  { '@': MAIL, '_25._tcp.mx': { TLSA: [TLSA], ...SECURE } },
  {
    dane: false,
  },
);
dane(
  'has records of a usage that is not for mail',
  { '@': own('mx.dane4.example'), mx: HERE, '_25._tcp.mx': { TLSA: [{ ...TLSA, usage: 1 }], ...SECURE } },
  { dane: false },
);
dane('has none', { '@': SECURED }, { dane: false });
dane(
  'has records of one of two best hosts',
  {
    '@': {
      MX: [
        [10, 'mx.dane6.example'],
        [10, 'mx.mail.test'],
      ],
      ...SECURE,
    },
    mx: HERE,
    '_25._tcp.mx': { TLSA: [TLSA], ...SECURE },
  },
  { dane: false },
);
dane(
  'has records of the best host, and the other does not matter',
  {
    '@': {
      MX: [
        [10, 'mx.dane7.example'],
        [20, 'mx.mail.test'],
      ],
      ...SECURE,
    },
    mx: HERE,
    '_25._tcp.mx': { TLSA: [TLSA], ...SECURE },
  },
  { dane: true },
);
dane(
  'has records of the domain that is its own mail host',
  { '@': { ...HERE, ...SECURE }, '_25._tcp': { TLSA: [TLSA], ...SECURE } },
  {
    dane: true,
  },
);
dane(
  'has records that cannot be looked up',
  { '@': own('mx.dane9.example'), mx: HERE, '_25._tcp.mx': BROKEN },
  {
    dane: null,
  },
);
dane('cannot be looked up', { '@': BROKEN }, { dane: null });

const sec = part('dnssec', 'sec');
sec('is secure', { '@': SECURED }, { dnssec: 'secure' });
sec('is insecure', { '@': MAIL }, { dnssec: 'insecure' });
sec('is bogus', { '@': { ...MAIL, fault: { bogus: true } } }, { dnssec: 'bogus' });
sec('cannot be told of a domain whose servers fail', { '@': BROKEN }, { dnssec: null });
sec('cannot be told of a domain whose servers are silent', { '@': { fault: { silent: true } } }, { dnssec: null });

const caa = part('caa', 'caa');
export const AUTHORITIES = { CAA: [{ tag: 'issue', value: 'ca.test' }] } as const;
caa('restricts who may issue', { '@': { ...MAIL, ...AUTHORITIES } }, { caa: true });
caa('is the parent’s', { a: MAIL, '@': AUTHORITIES }, { caa: true }, { at: 'a.caa2.example' });
caa('asks for reports only', { '@': { ...MAIL, CAA: [{ tag: 'iodef', value: 'mailto:a@b.test' }] } }, { caa: false });
caa('is not there', { '@': MAIL }, { caa: false });
caa(
  'of the nearest name counts',
  { a: { ...MAIL, CAA: [{ tag: 'iodef', value: 'x' }] }, '@': AUTHORITIES },
  { caa: false },
  {
    at: 'a.caa5.example',
  },
);
caa('cannot be looked up', { '@': { ...MAIL, fault: { types: ['CAA'], servfail: true } } }, { caa: null });

const lists = part('blacklists', 'list');
const at = (host: string): Readonly<Record<string, DnsEntry>> => ({ '@': { MX: [[10, host]] } });
lists('do not know it', at('mx.mail.test'), { blacklists: 0, mailHostListed: false });
lists('have its mail host', at('mx.listed.test'), { blacklists: 1, mailHostListed: true });
lists('have its name', at('mx.mail.test'), { blacklists: 1, mailHostListed: false }, { at: 'bad.example' });
lists(
  'have the name it stands below, and its mail host',
  { www: { MX: [[10, 'mx.listed.test']] } },
  {
    blacklists: 2,
    mailHostListed: true,
  },
  { at: 'www.worse.example' },
);
lists('have something else to say of its mail host', at('mx.praised.test'), { blacklists: 0, mailHostListed: false });
lists('cannot be asked without knowing its mail hosts', { '@': BROKEN }, { blacklists: null, mailHostListed: null });
lists(
  'of addresses have nothing to say of a domain without a mail host',
  { '@': { MX: [[0, '.']] } },
  {
    blacklists: 0,
    mailHostListed: null,
  },
);

/** Names of a case below what its domain hangs on: `@` is the label on top of `.example`. */
function dataOf({ domain, records }: CrawlCase): DnsData {
  const top = domain.split('.').slice(-2).join('.');
  return Object.fromEntries(
    Object.entries(records).map(([name, entry]) => [name === '@' ? top : `${name}.${top}`, entry]),
  );
}

/** An address backwards, as lists are asked about it. */
export const listed = (address: string): string => address.split('.').toReversed().join('.');
const COMMON: DnsData = {
  '.': SECURE,
  'mail.test': {},
  'mx.mail.test': { A: ['127.1.1.1'] },
  'mx2.mail.test': { A: ['127.1.1.2'] },
  'key.mail.test': { TXT: [KEY] },
  'mx.listed.test': { A: ['127.1.1.3'] },
  'mx.praised.test': { A: ['127.1.1.4'] },
  'broken.test': BROKEN,
  // A list of addresses and one of names, as RFC 5782 wants them.
  [`${listed('127.0.0.2')}.ip.lists.test`]: { A: ['127.0.0.2'] },
  [`${listed('127.1.1.3')}.ip.lists.test`]: { A: ['127.0.0.4'], TXT: ['caught'] },
  'test.names.lists.test': { A: ['127.0.0.2'] },
  'bad.example.names.lists.test': { A: ['127.0.0.2'] },
  'worse.example.names.lists.test': { A: ['127.0.0.2'] },
  // Lists that must not count: one that answers for everything, one that refuses, one that is dead, one that praises.
  '*.everything.lists.test': { A: ['127.0.0.2'] },
  '*.refuses.secretkey.lists.test': { A: ['127.255.255.254'] },
  'dead.lists.test': { fault: { silent: true } },
  [`${listed('127.0.0.2')}.late.lists.test`]: { A: ['127.0.0.2'] },
  [`${listed('127.1.1.4')}.late.lists.test`]: { A: ['127.0.0.1'] },
};
/** As `DNSBL_ZONES` takes them. */
export const ZONES = [
  'ip.lists.test',
  'names.lists.test=domain',
  'everything.lists.test=ip',
  'refuses.secretkey.lists.test',
  'dead.lists.test',
].join(',');

/** What every domain of a case, and all that it hangs on, has in the DNS. */
export const CRAWL_CASES: readonly CrawlCase[] = cases;
export const CRAWL_DATA: DnsData = Object.assign({}, COMMON, ...cases.map(dataOf));
