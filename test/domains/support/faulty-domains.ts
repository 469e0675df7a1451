import type { DomainFacts } from '../../../src/domains/domain-facts.js';
import type { DnsData, DnsEntry, DnsFault } from '../../lab/dns/dns-data.js';
import type { PolicyHost } from '../../support/policy-server.js';
import { AUTHORITIES, KEY } from './crawl-cases.js';

type Fact = Exclude<keyof DomainFacts, 'domain'>;

/** One way in which the servers of a domain that has everything misbehave, and the facts that must be null for it. */
export interface FaultKind {
  readonly what: string;
  readonly open: readonly Fact[];
  /** Holds for the domain and all names below it. */
  readonly fault?: DnsFault;
  /** Entries in place of those a good domain has, by what stands in front of the name. */
  readonly instead?: Readonly<Record<string, DnsEntry>>;
  readonly policy?: PolicyHost;
  /** Costs a crawl time instead of work: a few such domains will do. */
  readonly slow?: true;
  /** Costs a crawl much work: answers that are long, or asked for over TCP. */
  readonly heavy?: true;
}

const ALL: readonly Fact[] = [
  'mx',
  'nullMx',
  'mailHosts',
  'nameServers',
  'addresses',
  'spf',
  'dmarc',
  'dmarcPolicy',
  'dkim',
  'mtaSts',
  'tlsRpt',
  'bimi',
  'dane',
  'dnssec',
  'caa',
  'blacklists',
  'mailHostListed',
];
const TEXTS: readonly Fact[] = ['spf', 'dmarc', 'dmarcPolicy', 'dkim', 'mtaSts', 'tlsRpt', 'bimi'];
const WHERE_MAIL_GOES: readonly Fact[] = ['mx', 'nullMx', 'mailHosts', 'dane', 'blacklists', 'mailHostListed'];

const SPF = 'v=spf1 mx -all';
/** As many, and as long, as fit one message. */
const THOUSAND = Array.from({ length: 1000 }, (_, i) => `v=${String(i).padStart(4, '0')}`);
const HUGE = Array.from({ length: 28 }, (_, i) => `${i} ${'x'.repeat(2000)}`);

export const FAULT_KINDS: readonly FaultKind[] = [
  { what: 'nothing', open: [] },
  { what: 'silence', open: ALL, slow: true, fault: { silent: true } },
  { what: 'SERVFAIL', open: ALL, fault: { servfail: true } },
  { what: 'REFUSED', open: ALL, fault: { refused: true } },
  { what: 'garbage', open: ALL, slow: true, fault: { garbage: true } },
  { what: 'answers to other questions', open: ALL, slow: true, fault: { wrongQuestion: true } },
  { what: 'signatures that are bogus', open: ALL.filter((fact) => fact !== 'dnssec'), fault: { bogus: true } },
  { what: 'forgeries before the truth', open: [], fault: { wrongId: true, thenRight: true } },
  { what: 'answers that are slow', open: [], fault: { delayMs: 60 } },
  { what: 'questions that get lost once', open: [], fault: { dropFirst: 1 } },
  {
    what: 'answers that fit no datagram',
    open: [],
    heavy: true,
    fault: { types: ['MX', 'NS', 'CAA'], truncate: true },
  },
  { what: 'silence about texts', open: TEXTS, slow: true, fault: { types: ['TXT'], silent: true } },
  { what: 'SERVFAIL about mail hosts', open: WHERE_MAIL_GOES, fault: { types: ['MX'], servfail: true } },
  { what: 'SERVFAIL about authorities', open: ['caa'], fault: { types: ['CAA'], servfail: true } },
  {
    what: 'a mail host that cannot be found',
    slow: true,
    open: ['mx', 'blacklists', 'mailHostListed'],
    instead: { mx: { fault: { silent: true } } },
  },
  { what: 'huge texts', open: [], heavy: true, instead: { '@': { TXT: [...HUGE, SPF] } } },
  { what: 'a thousand texts', open: [], heavy: true, instead: { '@': { TXT: [...THOUSAND, SPF] } } },
  {
    what: 'the same heaps of texts for every selector',
    heavy: true,
    open: ['dkim'],
    instead: { '*._domainkey': { TXT: THOUSAND.slice(0, 300) } },
  },
  {
    what: 'aliases that go in circles',
    open: ['dmarc', 'dmarcPolicy', 'tlsRpt'],
    instead: {
      _dmarc: { CNAME: 'one.loop.test' },
      '_smtp._tls': { CNAME: 'two.loop.test' },
      // The key of another selector is found all the same.
      'default._domainkey': { CNAME: 'one.loop.test' },
    },
  },
  { what: 'a policy host that says nothing', open: ['mtaSts'], slow: true, policy: { answer: () => undefined } },
];

/** All names of a domain of one kind. */
export function faultyDomain(domain: string, { fault, instead = {} }: FaultKind): DnsData {
  const good: Record<string, DnsEntry> = {
    '@': {
      MX: [[10, `mx.${domain}`]],
      TXT: [SPF],
      NS: ['ns.test'],
      A: ['192.0.2.1'],
      ...AUTHORITIES,
      ...(fault && { fault }),
    },
    www: { A: ['192.0.2.1'] },
    mx: { A: ['127.1.1.1'] },
    _dmarc: { TXT: ['v=DMARC1; p=reject'] },
    'selector1._domainkey': { TXT: [KEY] },
    '_mta-sts': { TXT: ['v=STSv1; id=1'] },
    'mta-sts': { A: ['127.0.0.1'] },
    '_smtp._tls': { TXT: ['v=TLSRPTv1; rua=mailto:tls@rpt.test'] },
    'default._bimi': { TXT: ['v=BIMI1; l=https://logo.test/l.svg'] },
  };
  const entries = Object.entries({ ...good, ...instead }).map(([name, entry]): [string, DnsEntry] =>
    name === '@' ? [domain, { ...good['@'], ...entry }] : [`${name}.${domain}`, entry],
  );
  return Object.fromEntries(entries);
}

/** What all of them hang on. */
export const FAULTS_COMMON: DnsData = {
  '.': { secure: true },
  'one.loop.test': { CNAME: 'two.loop.test' },
  'two.loop.test': { CNAME: 'one.loop.test' },
  '2.0.0.127.ip.lists.test': { A: ['127.0.0.2'] },
};
