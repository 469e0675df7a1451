import { findProvider } from '../providers/find-provider.js';
import { PROVIDER_TABLE } from '../providers/provider-table.js';
import { parsePhrase } from './phrases.js';
import { readReplyText } from './reply-text.js';
import { REPLY_PATTERNS } from './reply-patterns.js';

const cases = REPLY_PATTERNS.map((pattern) => [pattern.id, pattern] as const);
const MARKERS = new Set(['#restriction', '..', '#ip', '#host', '#us', '#url', '#dnsbl']);

/** A word as the reader would hand it out; that is how it must stand in a phrase. */
function asRead(word: string): string {
  const lines = [word.replace(/\*$/, '')];
  return readReplyText(
    { code: 550, enhanced: null, lines, mixed: false },
    { recipient: null, ownNames: [] },
  ).words.join(' ');
}

describe('REPLY_PATTERNS', () => {
  it('names each rule once', () => {
    const ids = REPLY_PATTERNS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(cases)('%s has a stable name, a reason and phrases', (id, pattern) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(pattern.reason).toMatch(/^.{15,300}\.$/s);
    expect(pattern.phrases.length).toBeGreaterThan(0);
    expect(new Set(pattern.phrases).size).toBe(pattern.phrases.length);
    for (const phrase of pattern.phrases) expect(() => parsePhrase(phrase)).not.toThrow();
  });

  it.each(cases)('%s is written in words as the reader makes them', (_id, { phrases }) => {
    const words = phrases.flatMap((phrase) => phrase.split(/[ |]/)).filter((word) => !MARKERS.has(word));
    expect(words.map(asRead)).toEqual(words.map((word) => word.replace(/\*$/, '')));
  });

  it.each(cases)('%s speaks of providers that the table knows', (_id, { providers = [] }) => {
    const known = PROVIDER_TABLE.map(({ id }) => id);
    for (const provider of providers) expect(known).toContain(provider);
    expect(findProvider('mx.example.com')).toBeNull();
  });
});
