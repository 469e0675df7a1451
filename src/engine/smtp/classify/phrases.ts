/**
 * Phrases of the pattern table. A phrase is a sequence of words as `reply-text.ts` splits them:
 *
 * - `mailbox|user`: one of these words;
 * - `suspend*`: a word that begins with this stem;
 * - `..`: up to `MAX_GAP` words of any kind.
 *
 * One pass looks up all phrases by their anchor, two neighbouring words if possible, so that the time hardly grows with
 * the table.
 */
const MAX_GAP = 6;
/** Stems are indexed by their first letters. */
const STEM_KEY = 4;

interface Element {
  readonly words: ReadonlySet<string>;
  readonly stems: readonly string[];
  /** Most words between this element and the one before. */
  readonly gap: number;
}

interface Phrase<T> {
  readonly owner: T;
  /** The elements before the first gap; may be empty. */
  readonly left: readonly Element[];
  /** The rest; its first element is the anchor, because words after a gap are rarer than words before it. */
  readonly right: readonly Element[];
}

interface Anchored<T> {
  /** Phrases whose second word adjoins the anchor, by that word. */
  readonly pairs: Map<string, Phrase<T>[]>;
  readonly others: Phrase<T>[];
}

export class PhraseIndex<T> {
  private readonly byWord = new Map<string, Anchored<T>>();
  private readonly byStem = new Map<string, Phrase<T>[]>();

  add(text: string, owner: T): void {
    const elements = parsePhrase(text);
    const firstGap = elements.findIndex((element) => element.gap > 0);
    const cut = Math.max(firstGap, 0);
    const phrase: Phrase<T> = { owner, left: elements.slice(0, cut), right: elements.slice(cut) };
    const [anchor, next] = phrase.right as [Element, Element?];
    for (const word of anchor.words) {
      const anchored = getOrAdd(this.byWord, word, (): Anchored<T> => ({ pairs: new Map(), others: [] }));
      if (next === undefined || next.gap > 0 || next.stems.length > 0) anchored.others.push(phrase);
      else for (const second of next.words) getOrAdd(anchored.pairs, second, () => []).push(phrase);
    }
    for (const stem of anchor.stems) getOrAdd(this.byStem, stem.slice(0, STEM_KEY), () => []).push(phrase);
  }

  /**
   * Calls `found` with the owner of each matching phrase. Asks `worth` first, to skip comparisons for an owner that
   * cannot change the outcome.
   */
  search(words: readonly string[], worth: (owner: T) => boolean, found: (owner: T) => void): void {
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at]!;
      const anchored = this.byWord.get(word);
      if (anchored !== undefined) {
        searchIn(anchored.others, words, at, worth, found);
        const pairs = at + 1 < words.length ? anchored.pairs.get(words[at + 1]!) : undefined;
        if (pairs !== undefined) searchIn(pairs, words, at, worth, found);
      }
      const stems = word.length < STEM_KEY ? undefined : this.byStem.get(word.slice(0, STEM_KEY));
      if (stems !== undefined) searchIn(stems, words, at, worth, found);
    }
  }
}

function searchIn<T>(
  phrases: readonly Phrase<T>[],
  words: readonly string[],
  at: number,
  worth: (owner: T) => boolean,
  found: (owner: T) => void,
): void {
  for (const { owner, left, right } of phrases) {
    if (worth(owner) && matches(words, at, right, 0) && precedes(words, at, left, right[0]!.gap)) found(owner);
  }
}

/** At most `MAX_GAP + 1` ways per gap, and few gaps per phrase: bounded for any words. */
function matches(words: readonly string[], at: number, elements: readonly Element[], index: number): boolean {
  const element = elements[index];
  if (element === undefined) return true;
  const last = Math.min(index === 0 ? at : at + element.gap, words.length - 1);
  for (let position = at; position <= last; position += 1) {
    if (fits(words[position]!, element) && matches(words, position + 1, elements, index + 1)) return true;
  }
  return false;
}

function precedes(words: readonly string[], anchor: number, left: readonly Element[], gap: number): boolean {
  if (left.length === 0) return true;
  const nearest = anchor - left.length;
  for (let start = nearest; start >= Math.max(0, nearest - gap); start -= 1) {
    if (left.every((element, index) => fits(words[start + index]!, element))) return true;
  }
  return false;
}

function fits(word: string, element: Element): boolean {
  return element.words.has(word) || (element.stems.length > 0 && element.stems.some((stem) => word.startsWith(stem)));
}

/** @throws Error for a phrase that can never match: empty, with a gap at an end, or with a stem too short to look up */
export function parsePhrase(text: string): Element[] {
  const elements: Element[] = [];
  let gap = 0;
  for (const part of text.split(' ')) {
    if (part === '..') {
      gap = MAX_GAP;
      continue;
    }
    const alternatives = part.split('|');
    const stems = alternatives.filter((word) => word.endsWith('*')).map((stem) => stem.slice(0, -1));
    if (alternatives.includes('') || stems.some((stem) => stem.length < STEM_KEY))
      throw new Error(`not a phrase: "${text}"`);
    elements.push({ words: new Set(alternatives.filter((word) => !word.endsWith('*'))), stems, gap });
    gap = 0;
  }
  if (elements.length === 0 || elements[0]!.gap > 0 || gap > 0) throw new Error(`not a phrase: "${text}"`);
  return elements;
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
