import { checkFacts, FOUND, probeFacts, refusal } from '../../../test/factories/check-facts.js';
import { knowledgeWith } from '../../../test/factories/job-work.js';
import type { CheckFacts } from '../../engine/check.js';
import { readListEntry } from '../../verify/batch-entry.js';
import { writeEntryFacts, type EntryFacts } from '../outcomes/entry-facts.js';
import { entryResult, type ReadEntry, type EntryResultOptions } from './entry-result.js';

const entryOf = (facts: CheckFacts, over: Partial<EntryFacts> = {}, sent = ' Ann@Example.com '): ReadEntry => ({
  position: 4,
  sent,
  error: null,
  facts: writeEntryFacts({
    facts,
    checkedAt: new Date('2026-11-28T10:00:00.000Z'),
    engineVersion: 1,
    freshness: 'fresh',
    catchAll: false,
    ...over,
  }),
  read: readListEntry(sent),
});
const terms = (over: Partial<EntryResultOptions> = {}): EntryResultOptions => ({
  mode: 'standard',
  knowledge: knowledgeWith(),
  knownOf: () => ({ catchAll: false }),
  ...over,
});
const answer = (entry: ReadEntry, over: Partial<EntryResultOptions> = {}) =>
  JSON.parse(entryResult(entry, terms(over)).result) as Record<string, unknown>;

it('is the verify result of the facts, with their freshness', () => {
  const entry = entryOf(checkFacts(), { freshness: 'cached_recent' });
  expect(entryResult(entry, terms())).toMatchObject({ position: 4, failed: false });
  expect(answer(entry)).toMatchObject({
    email: 'ann@example.com',
    result: 'valid',
    freshness: 'cached_recent',
    checked_at: '2026-11-28T10:00:00.000Z',
    smtp_diagnosis: null,
  });
  expect(answer(entry, { mode: 'enhanced' })).toMatchObject({ smtp_diagnosis: 'accepted' });
});

it('applies today’s lists', () => {
  const knowledge = knowledgeWith({ blocked: new Map([['example.com', null]]) });
  expect(answer(entryOf(checkFacts()), { knowledge })).toMatchObject({ result: 'invalid', reason: 'blocked_domain' });
});

it('has no reason if none was stored', () => {
  expect(answer(entryOf(checkFacts(), { engineVersion: 0 }))).toMatchObject({ result: 'valid', reason: null });
});

describe('at a catch-all', () => {
  const knownOf = () => ({ catchAll: true });

  it('judges an unprobed address by the stored catch-all flag', () => {
    const entry = entryOf({ mailHosts: FOUND, probe: null }, { catchAll: true });
    expect(answer(entry)).toMatchObject({ result: 'catch_all', reason: 'catch_all_domain' });
  });

  it('does not judge a mailbox valid that was accepted before the domain was a known catch-all', () => {
    expect(answer(entryOf(checkFacts()), { knownOf })).toMatchObject({ result: 'catch_all' });
  });

  it('judges a refused mailbox as missing, and one with a refused random recipient as existing', () => {
    const missing = entryOf(checkFacts(refusal('mailbox_not_found', 550)));
    expect(answer(missing, { knownOf })).toMatchObject({ result: 'invalid', reason: 'mailbox_not_found' });
    const exists = entryOf(checkFacts(probeFacts({ random: 'refused' })));
    expect(answer(exists, { knownOf, mode: 'enhanced' })).toMatchObject({ result: 'valid' });
  });
});

describe('an error result', () => {
  const error = { email: ' Ann@Example.com ', error: 'verify_unavailable' };

  it('has the address as it was sent if there is no verdict', () => {
    const entry = { ...entryOf(checkFacts()), error: 'verify_unavailable', facts: null };
    expect(entryResult(entry, terms()).failed).toBe(false);
    expect(answer(entry)).toEqual(error);
  });

  it.each<[string, ReadEntry]>([
    ['what spared the probe is on no list by now', entryOf({ mailHosts: FOUND, probe: null })],
    ['its facts cannot be read', { ...entryOf(checkFacts()), facts: '{}' }],
  ])('that is given back, where %s', (_, entry) => {
    expect(entryResult(entry, terms()).failed).toBe(true);
    expect(answer(entry)).toEqual(error);
  });

  it('is a verdict again if the address is listed again', () => {
    const knowledge = knowledgeWith({ spamTraps: new Set(['example.com']) });
    expect(answer(entryOf({ mailHosts: FOUND, probe: null }), { knowledge })).toMatchObject({ reason: 'spam_trap' });
  });
});
