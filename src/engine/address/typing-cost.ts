/** Highest cost of one likely slip: an extra or a missing letter. Only an arbitrary substitution costs more. */
export const ONE_SLIP = 9;

/** Two adjacent letters swapped. */
export const SWAPPED = 6;
/** A letter doubled, or a double letter typed once. */
const DOUBLED = 6;
export const NEIGHBOUR_KEY = 7;
const OTHER_VOWEL = 8;
const LOOKALIKE = 7;
const EXTRA = ONE_SLIP;
const MISSING = ONE_SLIP;
export const ANY_EDIT = 10;

/** QWERTY rows and the position of their first key, in quarters of a key. QWERTZ and AZERTY differ in few pairs. */
const ROWS: readonly [keys: string, x: number][] = [
  ['1234567890-', 0],
  ['qwertyuiop', 2],
  ['asdfghjkl', 3],
  ['zxcvbnm', 5],
];
type Key = readonly [row: number, x: number];
const VOWELS = 'aeiou';
/** Pairs that look or sound alike. */
const LOOKALIKES = new Set(['il', 'l1', 'i1', 'o0', 'uv', 'td', 'bp', 'sz', 'ck']);

/** Substitution cost, indexed by two character codes. */
const SUBSTITUTION = substitutionCosts();

/** Longest text compared. */
const MAX_LENGTH = 32;
const rows = [0, 1, 2].map(() => new Uint16Array(MAX_LENGTH + 2));

/**
 * How unlikely it is that someone typed `typed` for `meant`: Damerau-Levenshtein distance (adjacent transpositions) in
 * tenths of an edit, with cheaper costs for common slips. `Infinity` above `limit`. Lowercase ASCII; about a
 * microsecond for a domain.
 */
export function typingCost(typed: string, meant: string, limit: number): number {
  const n = typed.length;
  const m = meant.length;
  if (n > MAX_LENGTH || m > MAX_LENGTH || Math.abs(n - m) * DOUBLED > limit) return Infinity;
  let [beforeLast, last, row] = rows as [Uint16Array, Uint16Array, Uint16Array];
  last[0] = 0;
  for (let j = 1; j <= m; j++) last[j] = cell(last, j - 1) + missingCost(meant, j - 1);

  for (let i = 1; i <= n; i++) {
    const code = typed.charCodeAt(i - 1);
    const extra = extraCost(typed, i - 1);
    row[0] = cell(last, 0) + extra;
    let least = row[0];
    for (let j = 1; j <= m; j++) {
      const wanted = meant.charCodeAt(j - 1);
      let cost = cell(last, j - 1) + (code === wanted ? 0 : substitution(code, wanted));
      cost = Math.min(cost, cell(last, j) + extra, cell(row, j - 1) + missingCost(meant, j - 1));
      if (i > 1 && j > 1 && code === meant.charCodeAt(j - 2) && typed.charCodeAt(i - 2) === wanted) {
        cost = Math.min(cost, cell(beforeLast, j - 2) + SWAPPED);
      }
      row[j] = cost;
      if (cost < least) least = cost;
    }
    // No later row can get back under the limit, even by a transposition.
    if (least > limit + SWAPPED) return Infinity;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  const cost = cell(last, m);
  return cost > limit ? Infinity : cost;
}

/** True if two keys touch. */
function areNeighbours([rowA, xA]: Key, [rowB, xB]: Key): boolean {
  if (rowA < 0 || rowB < 0 || Math.abs(rowA - rowB) > 1) return false;
  return rowA === rowB ? Math.abs(xA - xB) === 4 : Math.abs(xA - xB) < 4;
}

function keyOf(character: string): Key {
  const row = ROWS.findIndex(([keys]) => keys.includes(character));
  const [keys, x] = ROWS[row] ?? ['', 0];
  return [row, keys.indexOf(character) * 4 + x];
}

function substitutionCosts(): Uint8Array {
  const keys = Array.from(
    'abcdefghijklmnopqrstuvwxyz0123456789-',
    (character) => [character, keyOf(character)] as const,
  );
  const costs = new Uint8Array(128 * 128).fill(ANY_EDIT);
  for (const [a, keyA] of keys) {
    for (const [b, keyB] of keys) {
      let cost = ANY_EDIT;
      if (VOWELS.includes(a) && VOWELS.includes(b)) cost = OTHER_VOWEL;
      if (areNeighbours(keyA, keyB)) cost = NEIGHBOUR_KEY;
      if (LOOKALIKES.has(a + b) || LOOKALIKES.has(b + a)) cost = Math.min(cost, LOOKALIKE);
      costs[a.charCodeAt(0) * 128 + b.charCodeAt(0)] = cost;
    }
  }
  return costs;
}

function substitution(typed: number, meant: number): number {
  return (typed | meant) < 128 ? (SUBSTITUTION[typed * 128 + meant] ?? ANY_EDIT) : ANY_EDIT;
}

/** Cost of an extra character: cheap if it repeats its neighbour, or its key touches the neighbour's. */
function extraCost(typed: string, i: number): number {
  const code = typed.charCodeAt(i);
  const before = i > 0 ? typed.charCodeAt(i - 1) : -1;
  const after = i + 1 < typed.length ? typed.charCodeAt(i + 1) : -1;
  if (code === before || code === after) return DOUBLED;
  const slipped = [before, after].some((other) => other >= 0 && substitution(code, other) === NEIGHBOUR_KEY);
  return slipped ? NEIGHBOUR_KEY : EXTRA;
}

function missingCost(meant: string, j: number): number {
  return j > 0 && meant.charCodeAt(j) === meant.charCodeAt(j - 1) ? DOUBLED : MISSING;
}

function cell(row: Uint16Array, i: number): number {
  return row[i] ?? 0;
}
