import { parseAddress } from '../../src/engine/address/parse-address.js';
import { jsonLines, sharedData } from '../support/shared-data.js';

interface Line {
  readonly address: string;
  readonly valid_for_delivery: boolean | null;
  readonly why: string;
}

const data = sharedData('syntax.jsonl');

(data === null ? describe.skip : describe)('parseAddress on the labelled addresses', () => {
  it('agrees on at least 99 %', () => {
    const labelled = jsonLines<Line>(data ?? '').filter((line) => line.valid_for_delivery !== null);
    // Whether a last label exists is the DNS's business (decisions 6.1): such a line counts either way.
    const misses = labelled.filter(
      (line) => !line.why.includes('tld_not_public') && parseAddress(line.address).ok !== line.valid_for_delivery,
    );
    const report = misses.map(
      (line) => `  ${JSON.stringify(line.address)}: labelled ${line.valid_for_delivery}, ${line.why}`,
    );
    process.stdout.write(
      [`syntax: ${labelled.length - misses.length} of ${labelled.length} labelled lines`, ...report, ''].join('\n'),
    );
    expect(labelled.length).toBeGreaterThan(0);
    expect(misses.length / labelled.length).toBeLessThanOrEqual(0.01);
  });
});
