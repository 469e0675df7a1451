import { PhraseIndex, parsePhrase } from './phrases.js';

function found(phrases: readonly string[], text: string): string[] {
  const index = new PhraseIndex<string>();
  for (const phrase of phrases) index.add(phrase, phrase);
  const owners = new Set<string>();
  index.search(
    text.split(' '),
    () => true,
    (owner) => owners.add(owner),
  );
  return [...owners];
}

describe('PhraseIndex', () => {
  it('finds adjacent words in this order', () => {
    expect(found(['user unknown'], 'recipient rejected user unknown in table')).toEqual(['user unknown']);
    expect(found(['user unknown'], 'unknown user')).toEqual([]);
    expect(found(['user unknown'], 'user is unknown')).toEqual([]);
    expect(found(['user unknown'], 'superuser unknown')).toEqual([]);
  });

  it('matches one of several words', () => {
    const phrase = 'no such user|mailbox';
    expect(found([phrase], 'no such mailbox')).toEqual([phrase]);
    expect(found([phrase], 'no such thing')).toEqual([]);
  });

  it('matches the beginning of a word, first or later', () => {
    expect(found(['blacklist*'], 'you are blacklisted')).toEqual(['blacklist*']);
    expect(found(['mailbox suspend*'], 'mailbox suspended')).toEqual(['mailbox suspend*']);
    expect(found(['blacklist*'], 'black list')).toEqual([]);
  });

  it('skips up to six words', () => {
    const phrase = 'account .. does not exist';
    expect(found([phrase], 'account does not exist')).toEqual([phrase]);
    expect(found([phrase], 'the account that you tried to reach does not exist')).toEqual([phrase]);
    expect(found([phrase], 'account 1 2 3 4 5 6 7 does not exist')).toEqual([]);
    expect(found([phrase], 'does not exist account')).toEqual([]);
  });

  it('skips twice and tries each position', () => {
    const phrase = 'a b .. c .. d';
    expect(found([phrase], 'a b x c c x d')).toEqual([phrase]);
    expect(found([phrase], 'b x c x d')).toEqual([]);
  });

  it('asks `worth` before it compares', () => {
    const index = new PhraseIndex<string>();
    index.add('user unknown', 'x');
    const hit = jest.fn();
    index.search(['user', 'unknown'], () => false, hit);
    expect(hit).not.toHaveBeenCalled();
  });
});

describe('parsePhrase', () => {
  it.each(['', ' a', 'a  b', '.. a', 'a ..', 'a|', 'abc*', 'a b|c*'])('refuses %p', (text) => {
    expect(() => parsePhrase(text)).toThrow('not a phrase');
  });
});
