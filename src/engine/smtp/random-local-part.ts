import { randomInt } from 'node:crypto';

const CONSONANTS = 'bdfgklmnprstvz';
const VOWELS = 'aeiou';
const SYLLABLES = 9;
const DIGITS = 3;

/**
 * A local part nobody has: about 65 bits of randomness, in letters and digits a person might choose, so that no filter
 * takes it for a machine's. `below(n)` returns an integer from 0 to n-1.
 */
export function randomLocalPart(below: (n: number) => number = (n) => randomInt(n)): string {
  const pick = (characters: string): string => characters.charAt(below(characters.length));
  const syllables = Array.from({ length: SYLLABLES }, () => pick(CONSONANTS) + pick(VOWELS)).join('');
  const digits = Array.from({ length: DIGITS }, () => pick('0123456789')).join('');
  return syllables + digits;
}
