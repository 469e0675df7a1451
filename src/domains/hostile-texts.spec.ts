import fc from 'fast-check';
import { parseAddress } from '../engine/address/parse-address.js';
import { classifyReply } from '../engine/smtp/classify/classify-reply.js';
import { retryDelay } from '../engine/smtp/classify/retry-delay.js';
import { demandsStartTls } from '../engine/smtp/demands-starttls.js';
import { parseReplyLine } from '../engine/smtp/reply-line.js';
import { scrub } from '../platform/logging/scrub.js';
import { csvCells } from './curated/csv-cells.js';
import { parseList } from './lists/parse-list.js';
import { bimiFact } from './records/bimi-record.js';
import { dkimFact } from './records/dkim-finding.js';
import { selectDmarcRecord } from './records/dmarc-record.js';
import { parseMtaStsPolicy } from './records/mta-sts-policy.js';
import { readMtaStsId } from './records/mta-sts-record.js';
import { readSpf } from './records/spf-record.js';
import { readTlsReportAddresses } from './records/tls-rpt-record.js';

const reply = (text: string) => ({ code: 550, enhanced: null, lines: [text], mixed: false });
const context = {
  stage: 'rcpt',
  recipient: 'ghost@example.com',
  ownNames: ['probe.example.net', 'verify@probe.example.net', '192.0.2.77'],
  provider: null,
} as const;

/** All parsers of untrusted text, with the prefix that each needs to read a text at all. */
const READERS: Readonly<Record<string, readonly [begin: string, read: (text: string) => unknown]>> = {
  'an SPF record': ['v=spf1 ', (text) => readSpf([text])],
  'a DKIM key': ['v=DKIM1; p=', (text) => dkimFact({ wildcard: [], selectors: [[text]] })],
  'a DMARC record': ['v=DMARC1; p=', (text) => selectDmarcRecord([text])],
  'a BIMI record': ['v=BIMI1; l=https://', (text) => bimiFact([[text]])],
  'an MTA-STS record': ['v=STSv1; id=', (text) => readMtaStsId([text])],
  'an MTA-STS policy': ['version: STSv1\nmx: ', parseMtaStsPolicy],
  'a TLS report record': ['v=TLSRPTv1; rua=', (text) => readTlsReportAddresses([text])],
  'a line of a reply': ['550-', parseReplyLine],
  'a refusal': ['', (text) => classifyReply(reply(text), context)],
  'a deferral': ['try again in ', (text) => retryDelay([text])],
  'a demand of TLS': ['must ', (text) => demandsStartTls({ kind: 'reply', stage: 'rcpt', reply: reply(text) })],
  'an address': ['a@', parseAddress],
  'a line of a curated list': ['', csvCells],
  'a published list': ['', (text) => parseList('relay', text, async () => {})],
  'a line of the log': ['a@b ', scrub],
};

const PIECES = [
  ' ',
  '\t',
  '\n',
  'a',
  'A1',
  '0',
  '=',
  ';',
  ':',
  '.',
  ',',
  '@',
  '"',
  '\\',
  '/',
  '%{d}',
  '%',
  '-',
  '_',
  '!',
  '<',
  '(',
].concat([
  'a=',
  'a;',
  '.a',
  ' a',
  'tls ',
  'use ',
  'in 5 min ',
  'www.',
  '://',
  '#5.1.1',
  'mx:a',
  '\u0001',
  'é',
  '\u{1f600}',
]);
const SHORT = 16_384;
const TIMES = 8;

/** Our own processor time, so that other load on the machine does not count. */
function spent(read: (text: string) => unknown, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

describe('long hostile texts', () => {
  it.each(Object.entries(READERS))('%s takes linear time', (_name, [begin, read]) => {
    const piece = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(piece, fc.constantFrom(...PIECES), (repeated, end) => {
        const text = (length: number): string => begin + repeated.repeat(length / repeated.length) + end;
        const [short, long] = [text(SHORT), text(SHORT * TIMES)];
        // Quadratic time would take 64 times as long, which is seconds.
        expect(spent(read, long)).toBeLessThan(spent(read, short) * TIMES * 4 + 200_000);
      }),
      { numRuns: 40, endOnFailure: true },
    );
  });

  it('90 selectors with 7 texts of 8 KB each are read quickly', () => {
    for (const piece of ['\t', 'a', 'a;', ' =']) {
      const texts = Array.from({ length: 7 }, (_, n) => `a=${piece.repeat(8_100 / piece.length)}\u0001${n}`);
      const selectors = Array.from({ length: 90 }, () => texts);
      expect(spent(() => dkimFact({ wildcard: [], selectors }), '')).toBeLessThan(2_000_000);
    }
  });

  it.each([
    ['SPF', (text: string) => readSpf([text]), 'v=spf1 -all', 'valid', 'permerror'],
    [
      'DKIM',
      (text: string) => dkimFact({ wildcard: [], selectors: [[text]] }),
      `v=DKIM1; k=ed25519; p=${'A'.repeat(43)}=`,
      true,
      false,
    ],
    ['DMARC', (text: string) => selectDmarcRecord([text])?.policy, 'v=DMARC1; p=reject;', 'reject', undefined],
    ['MTA-STS', (text: string) => readMtaStsId([text]), 'v=STSv1; id=1;', '1', null],
  ])('a record of %s longer than 2 KB is not read', (_name, read, record, short, long) => {
    expect(read(record + ' '.repeat(2_048 - record.length))).toBe(short);
    expect(read(record + ' '.repeat(2_049 - record.length))).toBe(long);
  });
});
