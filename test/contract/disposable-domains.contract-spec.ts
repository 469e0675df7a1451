import { loadSignalLists } from '../../src/engine/signals/load-signal-lists.js';
import { sharedData, tsvRows } from '../support/shared-data.js';

const lists = loadSignalLists();
const negatives = sharedData('disposable-negatives.tsv');
const evaluation = sharedData('disposable-eval.tsv');
const allowed = sharedData('tables/disposable-allow.tsv');

/** Domains of a table that are called disposable. */
function calledDisposable(text: string, label?: string): string[] {
  return tsvRows(text)
    .filter((row) => label === undefined || row['label'] === label)
    .map((row) => (row['domain'] ?? '').toLowerCase())
    .filter((domain) => lists.isDisposableDomain(domain));
}

(negatives === null ? describe.skip : describe)('loadSignalLists on domains that are not disposable', () => {
  it('lists no university, popular site, freemail or relay domain as disposable', () => {
    expect(tsvRows(negatives ?? '').length).toBeGreaterThan(1000);
    expect(calledDisposable(negatives ?? '')).toEqual([]);
    expect(calledDisposable(allowed ?? '')).toEqual([]);
    expect(calledDisposable(evaluation ?? '', 'freemail')).toEqual([]);
    expect(calledDisposable(evaluation ?? '', 'relay')).toEqual([]);
  });
});

(evaluation === null ? describe.skip : describe)('loadSignalLists on disposable domains', () => {
  it('lists at least half of the active ones', () => {
    const all = tsvRows(evaluation ?? '').filter((row) => row['label'] === 'disposable');
    const known = calledDisposable(evaluation ?? '', 'disposable').length;
    process.stdout.write(`disposable: ${known} of ${all.length} (${((100 * known) / all.length).toFixed(1)} %)\n`);
    expect(known / all.length).toBeGreaterThan(0.5);
  });
});
