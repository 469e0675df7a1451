import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  BLACKLIST_PENALTY,
  BLACKLIST_PENALTY_MAX,
  BOGUS_CAP,
  DMARC_POLICY_SHARES,
  DNSSEC_SHARES,
  DOMAIN_SCORE_VERSION,
  DOMAIN_SCORE_WEIGHTS,
  UNWANTED_CAP,
} from '../../src/domains/domain-score-weights.js';

describe('docs/domain-score.md', () => {
  const text = readFileSync(resolve(__dirname, '../../docs/domain-score.md'), 'utf8');
  const [, points = '', limits = ''] = text.split(/^## /m);
  const rowsOf = (section: string): string[][] =>
    section
      .split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (?:fact|limit) /.test(line))
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .slice(1, 4),
      );

  it('names the version of the formula', () => {
    expect(text).toContain(`Formula version: ${DOMAIN_SCORE_VERSION}.`);
  });

  it('shows the points the code uses', () => {
    const used = Object.entries(DOMAIN_SCORE_WEIGHTS).map(([fact, weight]) => [fact, String(weight)]);
    expect(rowsOf(points).map((row) => row.slice(0, 2))).toEqual(used);
  });

  it('shows what part of them each value gives', () => {
    const remarkOn = (fact: string): string => rowsOf(points).find(([name]) => name === fact)?.[2] ?? '';
    expect(DMARC_POLICY_SHARES).toEqual({ reject: 1, quarantine: 2 / 3, none: 0 });
    expect(remarkOn('dmarcPolicy')).toBe('reject: all; quarantine: 2/3; none, or no DMARC record: 0');
    expect(DNSSEC_SHARES).toEqual({ secure: 1, insecure: 1 / 5, bogus: 0 });
    expect(remarkOn('dnssec')).toBe('secure: all; insecure: 1/5; bogus: 0');
  });

  it('shows the limits the code uses', () => {
    expect(rowsOf(limits).map((row) => row.slice(0, 2))).toEqual([
      ['blacklist', String(-BLACKLIST_PENALTY)],
      ['blacklists', String(-BLACKLIST_PENALTY_MAX)],
      ['bogus', String(BOGUS_CAP)],
      ['unwanted', String(UNWANTED_CAP)],
      ['blocked', '0'],
    ]);
  });
});
