import { readEntryFacts, writeEntryFacts, type EntryFacts } from './entry-facts.js';

const ENTRY: EntryFacts = {
  facts: {
    mailHosts: { kind: 'found', primary: 'mx.example.com', exchanges: ['mx.example.com'] },
    probe: null,
  },
  checkedAt: new Date('2026-11-28T10:00:00.123Z'),
  engineVersion: 1,
  freshness: 'cached_recent',
  catchAll: true,
};

it('reads what it wrote, from text and from a parsed value', () => {
  const text = writeEntryFacts(ENTRY);
  expect(readEntryFacts(text)).toMatchObject(ENTRY);
  expect(readEntryFacts(JSON.parse(text))).toMatchObject(ENTRY);
});

it.each([
  ['nothing', null],
  ['no JSON', '{'],
  ['facts that cannot be read', { ...JSON.parse(writeEntryFacts(ENTRY)), mailHosts: { kind: 'new' } }],
  ['no moment', { ...JSON.parse(writeEntryFacts(ENTRY)), checkedAt: 'once' }],
  ['no engine', { ...JSON.parse(writeEntryFacts(ENTRY)), engineVersion: null }],
  ['an unknown freshness', { ...JSON.parse(writeEntryFacts(ENTRY)), freshness: 'stale' }],
  ['no word about the domain', { ...JSON.parse(writeEntryFacts(ENTRY)), catchAll: undefined }],
])('makes nothing of %s', (_, stored) => {
  expect(readEntryFacts(stored)).toBeNull();
});
