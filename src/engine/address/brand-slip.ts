import { meantSuffix } from './brand-suffix.js';
import { MAIL_BRANDS, type MailBrand } from './data/mail-brands.js';
import { ANY_EDIT, NEIGHBOUR_KEY, ONE_SLIP, SWAPPED, typingCost } from './typing-cost.js';

/** Limit for several slips, in tenths of an edit as in `typingCost`. */
const TWO_COMMON_SLIPS = 16;
const TWO_SLIPS = 2 * ONE_SLIP;
const TWO_EDITS = 2 * ANY_EDIT;

interface Candidate {
  readonly brand: MailBrand;
  readonly letters: number;
}
const candidates: readonly Candidate[] = MAIL_BRANDS.map((brand) => ({ brand, letters: lettersOf(brand.name) }));
/** Brand domains, keyed by their text without dots. */
const undotted = new Map<string, string>();
for (const { name, suffixes } of MAIL_BRANDS) {
  for (const suffix of suffixes) {
    const text = `${name}${suffix.replaceAll('.', '')}`;
    if (!undotted.has(text)) undotted.set(text, `${name}.${suffix}`);
  }
}

/**
 * Finds the mail service domain that `name` most likely misspells, or null. `name` is lowercase ASCII and not itself
 * such a domain. `publicSuffix` is its registered suffix, or null if its top-level domain does not exist.
 */
export function nearestBrandDomain(name: string, publicSuffix: string | null): string | null {
  const misplacedDot = undotted.get(name.replaceAll('.', ''));
  if (misplacedDot !== undefined) return misplacedDot;
  const dot = name.indexOf('.');
  return dot < 0 ? fromWord(name) : fromDomain(name.slice(0, dot), name.slice(dot + 1), publicSuffix);
}

/** Matches names without a suffix or dot: `yahoo`, `hotmial`, `gmailcon`. */
function fromWord(word: string): string | null {
  let best: string | null = null;
  let least = ONE_SLIP + 1;
  for (const { brand } of candidates) {
    const isGuessed = brand.reach === 'global' && brand.name.length >= 5;
    // `mail` is no slip of `gmail`: it may be `mail.ru`, or any word.
    if (!isGuessed && brand.name === word) return null;
    if (!isGuessed) continue;
    const suffix = brand.suffixes[0] ?? '';
    const cost = Math.min(typingCost(word, brand.name, ONE_SLIP), typingCost(word, `${brand.name}${suffix}`, ONE_SLIP));
    if (cost < least) {
      least = cost;
      best = `${brand.name}.${suffix}`;
    }
  }
  return best;
}

function fromDomain(label: string, suffix: string, publicSuffix: string | null): string | null {
  const letters = lettersOf(label);
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const { brand } = candidate;
    // Two edits change at most four letters of the set.
    if (Math.abs(brand.name.length - label.length) > 2 || bitCount(candidate.letters ^ letters) > 4) continue;
    const nameCost = typingCost(label, brand.name, nameLimit(label, brand));
    if (nameCost === Infinity) continue;
    const meant = meantSuffix(suffix, publicSuffix, brand, nameCost > 0);
    const cost = nameCost + meant.cost;
    if (cost <= totalLimit(brand) && cost < least) {
      least = cost;
      best = `${brand.name}.${meant.suffix}`;
    }
  }
  return best;
}

/** Highest cost accepted. Short or little-known brand names get a lower limit: another name is likelier to be meant. */
function nameLimit(label: string, brand: MailBrand): number {
  const { length } = brand.name;
  if (length <= 3) return 0;
  if (length === 4) return SWAPPED;
  const sameStart = label.charCodeAt(0) === brand.name.charCodeAt(0);
  if (brand.reach === 'regional') {
    if (!sameStart) return SWAPPED;
    return length === 5 ? NEIGHBOUR_KEY : ONE_SLIP;
  }
  // People seldom mistype the first letter, and then they hit a neighbouring key.
  if (!sameStart) return ONE_SLIP;
  if (label.length <= 4) return ANY_EDIT;
  if (sortedLetters(label) === sortedLetters(brand.name)) return TWO_EDITS;
  return brand.distinctive && length >= 7 ? TWO_SLIPS : TWO_COMMON_SLIPS;
}

function totalLimit(brand: MailBrand): number {
  return brand.reach === 'regional' ? TWO_SLIPS : TWO_EDITS;
}

/** The letters of a text as a bit set. */
function lettersOf(text: string): number {
  let bits = 0;
  for (let i = 0; i < text.length; i++) bits |= 1 << (text.charCodeAt(i) % 32);
  return bits;
}

function sortedLetters(text: string): string {
  return text.split('').sort().join('');
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
