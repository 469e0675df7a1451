import { classifyDomain } from '../../src/domains/classify/classify-domain.js';
import { nothingKnownOf } from '../../src/domains/domain-facts.js';
import { loadSignalLists } from '../../src/engine/signals/load-signal-lists.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import { sharedData, tsvRows } from '../support/shared-data.js';

const knowledge = { lists: loadSignalLists(), findProvider };
const negatives = sharedData('disposable-negatives.tsv');
const allowed = sharedData('tables/disposable-allow.tsv');

/** What the name alone says of each domain of a table that has a value in a column. */
function typesOf(table: string, column: string, value: string): readonly (readonly [string, readonly string[]])[] {
  return tsvRows(table)
    .filter((row) => row[column] === value)
    .map((row) => (row['domain'] ?? '').toLowerCase())
    .map((domain) => [domain, classifyDomain(nothingKnownOf(domain), knowledge) ?? []]);
}

(negatives === null ? describe.skip : describe)('classifyDomain by names alone', () => {
  const schools = typesOf(negatives ?? '', 'label', 'organisation');
  const sites = typesOf(negatives ?? '', 'label', 'popular-site');

  it('recognises at least half of the schools and universities', () => {
    const known = schools.filter(([, types]) => types.includes('education'));
    process.stdout.write(
      `education: ${known.length} of ${schools.length} (${((100 * known.length) / schools.length).toFixed(1)} %)\n`,
    );
    expect(schools.length).toBeGreaterThan(1_000);
    expect(known.length / schools.length).toBeGreaterThan(0.5);
  });

  it('classifies no school and no popular site as disposable', () => {
    const wrong = [...schools, ...sites].filter(([, types]) => types.includes('disposable'));
    expect(wrong).toEqual([]);
  });

  it('gives no popular site a type that its name does not show', () => {
    const official = sites.filter(([, types]) => types.some((type) => type === 'education' || type === 'government'));
    process.stdout.write(
      `popular sites that are education or government: ${official.map(([domain]) => domain).join(' ')}\n`,
    );
    expect(
      official.filter(([domain]) => !/\.(?:edu|gov|mil|ac|europa)\b|\.(?:gouv|gob|go)\.[a-z]{2}$/.test(`.${domain}`)),
    ).toEqual([]);
  });
});

(allowed === null ? describe.skip : describe)('classifyDomain on mail services that anybody may use', () => {
  // The table holds names that gave mailboxes once and do no longer.
  it('classifies most of them as freemail and public', () => {
    const services = typesOf(allowed ?? '', 'why', 'freemail');
    const missed = services.filter(([, types]) => !types.includes('freemail') || !types.includes('public'));
    process.stdout.write(
      `freemail: ${services.length - missed.length} of ${services.length}; not: ${missed.map(([domain]) => domain).join(' ')}\n`,
    );
    expect(services.length).toBeGreaterThan(400);
    expect(missed.length / services.length).toBeLessThan(0.15);
  });
});
