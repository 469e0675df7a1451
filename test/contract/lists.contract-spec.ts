import { readFileSync } from 'node:fs';
import { judgeList } from '../../src/domains/lists/judge-list.js';
import { parseList } from '../../src/domains/lists/parse-list.js';
import { loadSignalLists } from '../../src/engine/signals/load-signal-lists.js';
import type { ListName } from '../../src/engine/signals/refreshable-lists.js';
import { sharedData, tsvRows } from '../support/shared-data.js';

const shipped = loadSignalLists();
const noPause = (): Promise<void> => Promise.resolve();
const judge = async (name: ListName, text: string) =>
  judgeList(name, await parseList(name, text, noPause), null, shipped, noPause);

it.each(['disposable-email-domains-js/dist/dict/disposable_email_blocklist.json', 'disposable-domains/index.json'])(
  'a published list is accepted: %s',
  async (path) => {
    const judged = await judge('disposable', readFileSync(require.resolve(path), 'utf8'));
    if (judged.kind === 'refused') throw new Error(judged.said);
    process.stdout.write(`${path}: ${judged.entries.length} entries, ${judged.passedOver} passed over\n`);
    expect(judged.entries.length).toBeGreaterThan(8000);
    expect(judged.entries.filter((domain) => shipped.isAllowListed(domain))).toEqual([]);
  },
);

it('the shipped list of disposable domains is refused as a freemail list', async () => {
  const path = require.resolve('disposable-email-domains-js/dist/dict/disposable_email_blocklist.json');
  expect(await judge('freemail', readFileSync(path, 'utf8'))).toMatchObject({
    kind: 'refused',
    why: 'names_known_good',
  });
});

const allowed = sharedData('tables/disposable-allow.tsv');
const negatives = sharedData('disposable-negatives.tsv');
const mailHosts = sharedData('tables/disposable-mx.tsv');

(allowed === null || negatives === null ? describe.skip : describe)('lists of what is no throw-away domain', () => {
  it.each([
    ['freemail and relays', allowed],
    ['universities and popular sites', negatives],
  ])('are refused as disposable: %s', async (_, table) => {
    const domains = tsvRows(table ?? '').map((row) => row['domain'] ?? '');
    expect(domains.length).toBeGreaterThan(400);
    expect(await judge('disposable', domains.join('\n'))).toMatchObject({ kind: 'refused', why: 'names_known_good' });
  });

  it('are accepted as freemail', async () => {
    const rows = tsvRows(allowed ?? '').filter((row) => row['why'] === 'freemail');
    expect(await judge('freemail', rows.map((row) => row['domain']).join('\n'))).toMatchObject({ kind: 'good' });
  });
});

(mailHosts === null ? describe.skip : describe)('a list of mail hosts of throw-away services', () => {
  it('is accepted', async () => {
    const rows = tsvRows(mailHosts ?? '');
    const [column = ''] = Object.keys(rows[0] ?? {});
    const judged = await judge('disposable-mx', rows.map((row) => row[column] ?? '').join('\n'));
    expect(judged).toMatchObject({ kind: 'good' });
  });
});
