import { suggestDomain } from '../../src/engine/address/suggest-domain.js';
import { jsonLines, sharedData, tsvRows } from '../support/shared-data.js';

interface Line {
  readonly domain: string;
  readonly suggestion: string | null;
}

const typos = sharedData('typos.jsonl');
const realDomains = sharedData('disposable-negatives.tsv');

(typos === null ? describe.skip : describe)('suggestDomain on domains as people typed them', () => {
  it('suggests as expected for at least 92 %, with at most one false suggestion', () => {
    const lines = jsonLines<Line>(typos ?? '');
    const misses = lines.filter((line) => suggestDomain(line.domain) !== line.suggestion);
    const report = misses.map(
      (line) => `  ${line.domain}: expected ${line.suggestion ?? 'none'}, got ${suggestDomain(line.domain) ?? 'none'}`,
    );
    process.stdout.write(`${[`typos: ${lines.length - misses.length} of ${lines.length}`, ...report].join('\n')}\n`);
    expect(lines.length).toBeGreaterThan(0);
    expect(misses.length / lines.length).toBeLessThanOrEqual(0.08);
    expect(misses.filter((line) => line.suggestion === null).length).toBeLessThanOrEqual(1);
  });
});

(realDomains === null ? describe.skip : describe)('suggestDomain on real domains', () => {
  it('suggests nothing for domains of universities, popular sites and providers', () => {
    const domains = tsvRows(realDomains ?? '').map((row) => row['domain'] ?? '');
    const corrected = domains
      .map((domain) => [domain, suggestDomain(domain)])
      .filter(([, suggestion]) => suggestion !== null);
    expect(domains.length).toBeGreaterThan(1000);
    expect(corrected).toEqual([]);
  });
});
