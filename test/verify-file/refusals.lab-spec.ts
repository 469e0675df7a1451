import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyFile } from './support/verify-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailvet-test-'));
  writeFileSync(join(folder, 'leads.csv'), 'Id,Mail\n1,ada@company.example\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('verify-file says what to type instead', () => {
  it.each([
    [['leads.csv'], /^error: required option '--out <out>' not specified\. Type: node dist\/cli verify-file --help$/],
    [
      ['missing.csv', '--out', 'out.csv'],
      /there is no file .*missing\.csv\. Name the file with the addresses, or - for stdin$/,
    ],
    [['.', '--out', 'out.csv'], /is a folder\. Name a CSV, TSV or TXT file in it$/],
    [['leads.csv', '--out', 'leads.csv'], /leads\.csv is the list itself\. Name another file with --out$/],
    [
      ['leads.csv', '--out', '-', '--json'],
      /would both write to stdout\. Name a file with --out, or leave out --json$/,
    ],
    [
      ['leads.csv', '--out', 'none/out.csv'],
      /there is no folder for .*none\/out\.csv\. Make it, or name a file in another one$/,
    ],
    [
      ['leads.csv', '--out', 'out.csv', '--only', 'good'],
      /--only <kind>: must be one of deliverable, risky, undeliverable, unknown\./,
    ],
    [
      ['leads.csv', '--out', 'out.csv', '--column', 'Phone'],
      /there is no column Phone\. Type --column with one of: "Id", "Mail"$/,
    ],
  ])('%j', async (argv, sentence) => {
    const typed = argv.map((word) => (/\.csv$|^\.$/.test(word) ? join(folder, word) : word));
    const { code, stdout, stderr } = await verifyFile(...typed);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trimEnd()).toMatch(sentence);
    expect(readdirSync(folder)).toEqual(['leads.csv']);
  });

  it.each(['/dev/fd', '/proc/self/fd'])('about an ordinary file that is open as %s', async (opened) => {
    const file = openSync(join(folder, 'stdout'), 'w');
    const { code, stderr } = await verifyFile(join(folder, 'leads.csv'), '--out', `${opened}/${file}`);
    closeSync(file);
    expect([code, stderr]).toEqual([
      1,
      `error: ${opened}/${file} is no ordinary file. To write to stdout, type: --out -\n`,
    ]);
  });
});
