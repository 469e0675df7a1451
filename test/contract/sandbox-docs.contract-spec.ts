import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { VerifyResult } from '../../src/verify/verify.response.js';
import { derivedFixture } from '../../src/verify/sandbox/derived-fixtures.js';
import { fixtureResult } from '../../src/verify/sandbox/fixture-result.js';
import { NAMED_FIXTURES } from '../../src/verify/sandbox/named-fixtures.js';
import { sandboxResult } from '../../src/verify/sandbox/sandbox-result.js';

describe('docs/sandbox.md', () => {
  const text = readFileSync(resolve(__dirname, '../../docs/sandbox.md'), 'utf8');
  /** The rows of the table with this heading, without it. */
  const rowsBelow = (heading: string): string[] => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.startsWith(heading));
    const rows = lines.slice(at + 2);
    return rows.slice(
      0,
      rows.findIndex((line) => line === ''),
    );
  };

  it('shows the results of the named local parts', () => {
    const rows = [...NAMED_FIXTURES.keys()].map((localPart) => {
      const shown = sandboxResult(parseAddress(`${localPart}@example.com`), 'enhanced');
      const { result, reason, deliverable, smtp_diagnosis: diagnosis } = shown;
      return `| \`${localPart}\` | ${[result, reason, deliverable, diagnosis].map(String).join(' | ')} |`;
    });
    expect(rowsBelow('| local part | `result`')).toEqual(rows);
  });

  it('shows the frequencies of results for other local parts', () => {
    const parsed = parseAddress('someone@example.com');
    if (!parsed.ok) throw new Error('an address of ours is none');
    const counts = new Map<string, number>();
    for (let i = 0; i < 100; i++) {
      const { result, reason }: VerifyResult = fixtureResult(
        derivedFixture([i, 0, 0]),
        parsed,
        'standard',
        new Date(0),
      );
      const row = `| ${result} | ${reason}`;
      counts.set(row, (counts.get(row) ?? 0) + 1);
    }
    expect(rowsBelow('| `result` | `reason` | of 100')).toEqual(
      [...counts].map(([row, count]) => `${row} | ${count} |`),
    );
  });
});
