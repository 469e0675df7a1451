import { nothingKnownOf } from '../domain-facts.js';
import { CRAWL_PARTS, FACTS_OF } from './crawl-parts.js';
import { mergeCrawl, readParts } from './merge-crawl.js';

const before = { ...nothingKnownOf('example.com'), spf: true, caa: false, mx: true };
const NOTHING = { found: {}, failed: [], unavailable: [] };

describe('merging a crawl into the stored facts', () => {
  it('replaces facts that were found, and keeps facts that were not asked for', () => {
    const crawl = { ...NOTHING, found: { spf: false, dkim: true } };
    expect(mergeCrawl('example.com', before, crawl)).toEqual({
      facts: { ...before, spf: false, dkim: true },
      open: [],
    });
  });

  it('sets failed facts to null, and keeps facts that only our own failure hid', () => {
    const crawl = { found: { spf: null }, failed: ['spf'], unavailable: ['caa'] } as const;
    expect(mergeCrawl('example.com', before, crawl)).toEqual({ facts: { ...before, spf: null }, open: ['spf', 'caa'] });
  });

  it('returns null if nothing was found and nothing was stored', () => {
    const crawl = { ...NOTHING, unavailable: CRAWL_PARTS };
    expect(mergeCrawl('example.com', null, crawl)).toEqual({ facts: null, open: [...CRAWL_PARTS] });
    expect(mergeCrawl('example.com', before, crawl).facts).toEqual(before);
    expect(mergeCrawl('example.com', null, { ...NOTHING, found: { spf: true } }).facts).toMatchObject({
      domain: 'example.com',
      spf: true,
      mx: null,
    });
  });
});

it('the parts of a crawl cover every fact, each once', () => {
  const facts = Object.values(FACTS_OF).flat();
  expect(new Set(facts).size).toBe(facts.length);
  expect([...facts, 'domain'].toSorted()).toEqual(Object.keys(nothingKnownOf('example.com')).toSorted());
});

it('parts are read as they were written, without unknown ones', () => {
  expect(readParts(CRAWL_PARTS.join(','))).toEqual(CRAWL_PARTS);
  expect(readParts('dkim,entrails,spf')).toEqual(['spf', 'dkim']);
  expect(readParts('')).toEqual([]);
});
