import { typingCost } from './typing-cost.js';

const cost = (typed: string, meant: string): number => typingCost(typed, meant, 100);

describe('typingCost', () => {
  it('is zero for equal texts', () => {
    expect(cost('gmail.com', 'gmail.com')).toBe(0);
    expect(cost('', '')).toBe(0);
  });

  it.each([
    ['swapped neighbours', 'gmial', 'gmail', 6],
    ['swapped neighbours at the start', 'mgail', 'gmail', 6],
    ['a doubled letter', 'gmaill', 'gmail', 6],
    ['a double letter typed once', 'yaho', 'yahoo', 6],
    ['the key beside', 'gnail', 'gmail', 7],
    ['the key beside as well', 'gmnail', 'gmail', 7],
    ['the key above', 'g0', 'gp', 7],
    ['another vowel', 'gmeil', 'gmail', 8],
    ['a letter too many', 'gmxail', 'gmail', 9],
    ['a letter too few', 'gail', 'gmail', 9],
    ['any other letter', 'gmkil', 'gmail', 10],
    ['letters that look alike', 'gmai1', 'gmail', 7],
    ['two slips', 'gmiall', 'gmail', 12],
  ])('counts %s: %s for %s', (_, typed, meant, tenths) => {
    expect(cost(typed, meant)).toBe(tenths);
  });

  it('is infinite above the limit and exact at the limit', () => {
    expect(typingCost('gmeil', 'gmail', 8)).toBe(8);
    expect(typingCost('gmeil', 'gmail', 7)).toBe(Infinity);
    expect(typingCost('example', 'gmail', 20)).toBe(Infinity);
    expect(typingCost('a'.repeat(500), 'gmail', 1000)).toBe(Infinity);
  });

  it('accepts any characters', () => {
    expect(cost('gmaïl', 'gmail')).toBe(10);
    expect(cost('\u0000\uffff', 'gmail')).toBeGreaterThan(20);
  });
});
