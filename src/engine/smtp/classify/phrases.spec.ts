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
  it('finds words next to each other, in this order', () => {
    expect(found(['user unknown'], 'recipient rejected user unknown in table')).toEqual(['user unknown']);
    expect(found(['user unknown'], 'unknown user')).toEqual([]);
    expect(found(['user unknown'], 'user is unknown')).toEqual([]);
    expect(found(['user unknown'], 'superuser unknown')).toEqual([]);
  });

  it('takes one of several words', () => {
    const phrase = 'no such user|mailbox';
    expect(found([phrase], 'no such mailbox')).toEqual([phrase]);
    expect(found([phrase], 'no such thing')).toEqual([]);
  });

  it('takes the beginning of a word, first or later', () => {
    expect(found(['blacklist*'], 'you are blacklisted')).toEqual(['blacklist*']);
    expect(found(['mailbox suspend*'], 'mailbox suspended')).toEqual(['mailbox suspend*']);
    expect(found(['blacklist*'], 'black list')).toEqual([]);
  });

  it('leaps over up to six words', () => {
    const phrase = 'account .. does not exist';
    expect(found([phrase], 'account does not exist')).toEqual([phrase]);
    expect(found([phrase], 'the account that you tried to reach does not exist')).toEqual([phrase]);
    expect(found([phrase], 'account 1 2 3 4 5 6 7 does not exist')).toEqual([]);
    expect(found([phrase], 'does not exist account')).toEqual([]);
  });

  it('leaps twice, and tries each place to land', () => {
    const phrase = 'a b .. c .. d';
    expect(found([phrase], 'a b x c c x d')).toEqual([phrase]);
    expect(found([phrase], 'b x c x d')).toEqual([]);
  });

  it('asks before it compares', () => {
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
