import type { Interpretation } from './interpretation.js';
import type { DnsAnswer, RecordData } from './resolver.js';

const MAX_RECORDS = 20;
const FAILURES = {
  servfail: 'SERVFAIL: the name server could not find the answer',
  refused: 'REFUSED: the name server would not answer',
  timeout: 'no answer in time',
  malformed: 'an answer that cannot be read',
  not_definite: 'the server filters, or did not ask others: its "no" is not definite',
  cname_loop: 'the CNAME chain goes in circles or is too long',
  network: 'the name server could not be reached',
} as const;

/** Formats an answer for a person: records in presentation form (RFC 1035 5.1), or the failure and who caused it. */
export function presentAnswer(answer: DnsAnswer | Interpretation): string {
  switch (answer.kind) {
    case 'records': {
      const shown = answer.records.slice(0, MAX_RECORDS).map(presentRecord);
      const more = answer.records.length - shown.length;
      return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ') + remarks(answer);
    }
    case 'nxdomain':
      return `NXDOMAIN: the name does not exist${remarks(answer)}`;
    case 'nodata':
      return `NODATA: the name has no such record${remarks(answer)}`;
    case 'alias':
      return `CNAME ${fqdn(answer.target)}${remarks(answer)}`;
    case 'loop':
      return FAILURES.cname_loop;
    default:
      return `${FAILURES[answer.why]} (${answer.blame === 'domain' ? 'the resolver itself works' : 'our resolver or network is at fault'})`;
  }
}

function presentRecord(data: RecordData): string {
  switch (data.type) {
    case 'A':
    case 'AAAA':
      return data.address;
    case 'MX':
      return `${data.preference} ${fqdn(data.exchange)}`;
    case 'TXT':
      return quoted(data.text);
    case 'NS':
    case 'CNAME':
    case 'PTR':
      return fqdn(data.name);
    case 'SOA':
      return `${fqdn(data.primary)} (minimum ${data.minimumSeconds})`;
    case 'CAA':
      return `${data.critical ? 128 : 0} ${quoted(data.tag)} ${quoted(data.value)}`;
    case 'TLSA':
      return `${data.usage} ${data.selector} ${data.matchingType} ${data.certificate.toString('hex')}`;
    default:
      return data.type;
  }
}

function remarks({ ttlSeconds, authenticated }: { ttlSeconds: number; authenticated: boolean }): string {
  return ` (TTL ${ttlSeconds}${authenticated ? ', DNSSEC' : ''})`;
}

function fqdn(name: string): string {
  return name === '.' ? name : `${name}.`;
}

/** Quotes the text and escapes everything that could control a terminal or change the writing direction. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(UNPRINTABLE, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** JSON itself escapes the controls below U+0020. */
const UNPRINTABLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
